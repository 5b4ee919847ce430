extension BlurHash {
  private static let dcRange = 2..<6
  private static let largestSizeFlag = 80
  private static let largestDC = 0xFF_FFFF
  private static let largestAC = 19 * 19 * 19 - 1

  /// Reads a text, strictly.
  ///
  /// - Parameter string: 4 + 2 · x · y digits of base 83.
  /// - Throws: ``BlurHashError``, for any text that no encoder could have written.
  public init(_ string: String) throws(BlurHashError) {
    let bytes = ContiguousArray(string.utf8)
    try self.init(bytes.span)
  }

  /// Reads the bytes of a text, as strictly.
  package init(_ text: Span<UInt8>) throws(BlurHashError) {
    guard text.count >= Self.dcRange.upperBound else { throw .tooShort(length: text.count) }
    let sizeFlag = try Base83.value(of: text, in: 0..<1)
    guard sizeFlag <= Self.largestSizeFlag else { throw .sizeFlagOutOfRange(sizeFlag) }
    let components = ComponentCount(x: sizeFlag % 9 + 1, y: sizeFlag / 9 + 1)
    let length = 4 + 2 * components.count
    guard text.count == length else {
      throw .wrongLength(expected: length, actual: text.count)
    }
    let quantizedMaximum = try Base83.value(of: text, in: 1..<2)
    let dc = try Base83.value(of: text, in: Self.dcRange)
    guard dc <= Self.largestDC else { throw .dcOutOfRange(dc) }
    var ac: [Int] = []
    ac.reserveCapacity(components.count - 1)
    for term in 1..<components.count {
      let value = try Base83.value(of: text, in: 4 + 2 * term..<6 + 2 * term)
      guard value <= Self.largestAC else { throw .acOutOfRange(term: term, value: value) }
      ac.append(value)
    }
    self.init(components: components, quantizedMaximum: quantizedMaximum, dc: dc, ac: ac)
  }

  /// The text: 4 + 2 · x · y digits of base 83.
  public var string: String {
    var text: [UInt8] = []
    Base83.append(components.x - 1 + (components.y - 1) * 9, digitCount: 1, to: &text)
    Base83.append(quantizedMaximum, digitCount: 1, to: &text)
    Base83.append(dc, digitCount: 4, to: &text)
    for value in ac { Base83.append(value, digitCount: 2, to: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text.
  public var description: String { string }
}
