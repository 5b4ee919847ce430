import LqipSystem

/// The strings of a command line, with those of standard input in place of its name, one at a time.
struct StringList {
  /// A string, and the line of the list that it is.
  struct Item {
    let text: String
    var line: Int?

    /// Whether it stands for an image that has no string.
    var isNothing: Bool {
      text.isEmpty && line != nil
    }
  }

  /// The name of standard input.
  static let name = "-"

  private var operands: ArraySlice<String>
  /// The list, while it has its turn.
  private var lines: LineReader?

  /// Starts before the first string.
  init(_ operands: [String]) {
    self.operands = operands[...]
  }

  /// The next string, as soon as it is there; nil after the last.
  ///
  /// - Throws: That the list has nothing, or cannot be read.
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
