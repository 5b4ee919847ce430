import CLqipStartup
package import LqipSystem

/// A command-line argument, as bytes.
package struct CommandArgument: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// The argument as text; invalid UTF-8 is replaced by U+FFFD.
  package var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  package var path: FilePath {
    FilePath(bytes)
  }

  /// Returns the argument as a file path, which must not be empty; `operand` is its name in the help.
  package func path(for operand: String) throws(UsageError) -> FilePath {
    guard !bytes.isEmpty else { throw .conflict("argument \(operand) is empty") }
    return path
  }

  /// All arguments after the program's name.
  package static var all: [CommandArgument] {
    var count: Int32 = 0
    // On Linux, `CommandLine` reads `/proc` and is empty without it, for example in a chroot.
    let words = unsafe lqip_arguments(&count) ?? CommandLine.unsafeArgv
    return (1..<max(1, Int(count > 0 ? count : CommandLine.argc))).compactMap { index in
      guard let word = unsafe words[index] else { return nil }
      return unsafe CommandArgument(FilePath(cString: word).bytes)
    }
  }
}

/// The exit statuses of the program.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// Some images failed, or an error occurred that no other status describes.
  case failure = 1
  case usage = 2
  /// The output could not be written, or is incomplete.
  case output = 3
  /// The input could not be listed completely.
  case input = 4
  case hungUp = 129
  case interrupted = 130
  /// The reader of the output has closed the pipe; the status is the same as after SIGPIPE.
  case outputClosed = 141
  case terminated = 143

  /// Creates the exit status that shells report for SIGHUP, SIGINT or SIGTERM.
  package init(signal: Int32) {
    self = ExitStatus(rawValue: 128 + signal) ?? .terminated
  }
}
