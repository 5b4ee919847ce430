import LqipSystem

/// The operands of `decode`, one at a time; `-` stands for the lines of standard input.
struct StringList {
  /// A string, and its line number if it is from standard input.
  struct Item {
    let text: String
    var line: Int?

    /// Whether this is an empty line of standard input, which is counted but produces no image.
    var isBlank: Bool {
      text.isEmpty && line != nil
    }
  }

  static let name = "-"

  private var operands: ArraySlice<String>
  /// The reader of standard input; `nil` before its first line and after its last.
  private var lines: LineReader?

  init(_ operands: [String]) {
    self.operands = operands[...]
  }

  /// Returns the next string as soon as it arrives, or `nil` after the last.
  ///
  /// - Throws: `CommandError.input` if standard input is empty, cannot be read or contains a line that is too long.
  mutating func next() throws(CommandError) -> Item? {
    if let item = try nextLine() { return item }
    guard let text = operands.popFirst() else { return nil }
    guard text == Self.name else { return Item(text: text) }
    lines = LineReader(STDIN_FILENO)
    guard let item = try nextLine() else { throw .input("standard input: empty") }
    return item
  }

  private mutating func nextLine() throws(CommandError) -> Item? {
    let next: [UInt8]?
    do {
      next = try lines?.next()
    } catch {
      guard error == .nameTooLong else {
        throw .input("standard input: \(error)")
      }
      throw .input("standard input, line \((lines?.count ?? 0) + 1): too long for a placeholder")
    }
    guard let line = next else {
      lines = nil
      return nil
    }
    let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
    return Item(text: String(decoding: content, as: UTF8.self), line: lines?.count)
  }
}
