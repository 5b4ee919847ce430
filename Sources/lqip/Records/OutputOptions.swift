package import LqipFiles
package import LqipOptions

/// Where a result goes, and whether it may take the place of anything.
package struct OutputOptions: Hashable, Sendable {
  package var path: FilePath?
  package var overwrites = false

  package init() {}

  /// The rows for the table of a command.
  ///
  /// - Parameters:
  ///   - help: What the option does.
  ///   - details: What more the manual says of the output.
  /// - Returns: The rows.
  package static func table(
    help: String = "Write to FILE (default: standard output)",
    details: String = "'-' is standard output."
  ) -> [CommandOption<Self>] {
    [
      .value("--output", short: "o", "FILE", \.path, .path, help: help, details: details),
      .flag("--force", \.overwrites, help: "Replace FILE even if lqip did not write it"),
    ]
  }

  /// Writes all of a result.
  ///
  /// - Parameters:
  ///   - bytes: The result.
  ///   - isOwn: Whether an open file is one that may be replaced without further ado.
  /// - Throws: That the output cannot be written, and why.
  package func replace(with bytes: [UInt8], _ isOwn: (Int32) -> Bool) throws(CommandError) {
    let destination = try OutputDestination(path)
    try destination.checkOverwriting(force: overwrites, isOwn)
    var file = try OutputFile(destination)
    try file.write(bytes)
    try file.commit()
  }
}
