import CLqipProcess
package import LqipSystem

/// One word of the command line, as the bytes that the system passed.
package struct CommandArgument: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// The word as text; bytes that are not UTF-8 are replaced.
  package var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// The word as the name of a file.
  package var path: FilePath {
    FilePath(bytes)
  }

  /// The word as the name of a file that a command needs.
  ///
  /// - Parameter operand: What the command's help calls it.
  /// - Returns: The name.
  /// - Throws: That it is empty.
  package func path(for operand: String) throws(UsageError) -> FilePath {
    guard !bytes.isEmpty else { throw .emptyOperand(operand) }
    return path
  }

  /// The words after the program's name.
  package static var all: [CommandArgument] {
    var count: Int32 = 0
    // Swift's runtime has none in a root without /proc.
    let words = unsafe lqip_arguments(&count) ?? CommandLine.unsafeArgv
    return (1..<max(1, Int(count > 0 ? count : CommandLine.argc))).compactMap { index in
      guard let word = unsafe words[index] else { return nil }
      return unsafe CommandArgument(FilePath(cString: word).bytes)
    }
  }
}
