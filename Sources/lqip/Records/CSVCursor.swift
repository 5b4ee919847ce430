/// Walks over the cells of a row of comma-separated values.
struct CSVCursor {
  private let text: [UInt8]
  private let bounds: Range<Int>
  private var position: Int
  private var isAtEnd = false

  init(_ text: [UInt8], _ bounds: Range<Int>) {
    self.text = text
    self.bounds = bounds
    position = bounds.lowerBound
  }

  /// Steps over a cell and what separates it from the next.
  ///
  /// - Returns: Where the cell stands, without its quotes; those within it are still double.
  /// - Throws: `MalformedRecord` if there is none.
  mutating func next() throws(MalformedRecord) -> Range<Int> {
    guard !isAtEnd else { throw MalformedRecord() }
    let cell = try byte == CSV.quote ? skipQuoted() : skipPlain()
    switch byte {
    case nil: isAtEnd = true
    case CSV.comma: position += 1
    default: throw MalformedRecord()
    }
    return cell
  }

  /// The bytes that a cell stands for.
  static func unquoted(_ text: [UInt8], _ cell: Range<Int>) -> ArraySlice<UInt8> {
    guard text[cell].contains(CSV.quote) else { return text[cell] }
    var isSecond = false
    let bytes = text[cell].filter { byte in
      isSecond = byte == CSV.quote && !isSecond
      return byte != CSV.quote || isSecond
    }
    return bytes[...]
  }

  /// Makes sure that no cell is left, and that those there were are UTF-8.
  func finish() throws(MalformedRecord) {
    guard isAtEnd else { throw MalformedRecord() }
    try MalformedRecord.check(text, bounds)
  }

  private var byte: UInt8? {
    position < bounds.upperBound ? text[position] : nil
  }

  private mutating func skipQuoted() throws(MalformedRecord) -> Range<Int> {
    position += 1
    let start = position
    while true {
      guard let byte else { throw MalformedRecord() }
      position += 1
      guard byte == CSV.quote else { continue }
      guard self.byte == CSV.quote else { return start..<(position - 1) }
      position += 1
    }
  }

  private mutating func skipPlain() -> Range<Int> {
    let start = position
    while let byte, !CSV.isSpecial(byte) { position += 1 }
    return start..<position
  }
}
