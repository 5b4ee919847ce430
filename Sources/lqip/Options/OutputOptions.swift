package import LqipSystem
import PlaceholderEncoding

/// The options `--output` and `--force`.
package struct OutputOptions: Hashable, Sendable {
  /// The number of bytes that identify a file as output, more than a stylesheet has.
  private static let examinedByteCount = 16 << 10

  /// The path of the output; `nil` for standard output.
  package var path: FilePath?
  package var overwrites = false

  package init() {}

  /// Returns the option table for a command, with its help for `--output`.
  package static func table(
    help: String = "Write to FILE (default: standard output)",
    details: String = "'-' is standard output."
  ) -> [CommandOption<Self>] {
    [
      .value("--output", short: "o", "FILE", { $0.path = $1 }, .path, help: help, details: details),
      .flag(
        "--force", { $0.overwrites = true }, help: "Replace FILE even if lqip did not write it"),
    ]
  }

  /// The extension of the path in lower case; empty if there is none.
  package var fileExtension: String {
    let name = path?.name ?? []
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// Rejects a path with an extension that is not in the list, unless the path is a directory or a device.
  package func checkExtension(in allowed: [String], otherwise rule: String? = nil)
    throws(UsageError)
  {
    guard let path, !fileExtension.isEmpty, !allowed.contains(fileExtension),
      (try? FileStatus(of: path, followsLinks: true))?.kind ?? .regular == .regular
    else { return }
    let rule = rule ?? "unsupported extension; use \(allowed.map { ".\($0)" }.alternatives)"
    throw .conflict("-o \(path): \(rule)")
  }

  /// Resolves the destination, and refuses to overwrite an input or a file of another program.
  ///
  /// An image may be an input. Without `--force`, a file is replaced only if `isOwn` accepts its first bytes.
  package func destination(
    apartFrom inputs: [FilePath] = [], _ isOwn: ([UInt8]) -> Bool
  ) throws(CommandError) -> OutputDestination {
    let destination = try OutputDestination(path)
    guard case .file(let path, let status?) = destination else { return destination }
    let refusal = CommandError.output("\(destination): refusing to overwrite an input file")
    // An input without a status is unreadable, which is reported when it is opened.
    let identities = inputs.compactMap { input in
      let status =
        input == FilePath("-")
        ? try? FileStatus(of: STDIN_FILENO) : try? FileStatus(of: input, followsLinks: true)
      return status?.identity
    }
    guard !identities.contains(status.identity) else { throw refusal }
    let beginning: [UInt8]
    do throws(SystemError) {
      let file = try FileDescriptor(opening: path, O_RDONLY)
      beginning = try FileDescriptor.read(file.number, at: 0, upTo: Self.examinedByteCount)
    } catch {
      if overwrites { return destination }
      throw .output("\(path): cannot check whether lqip wrote this file: \(error)")
    }
    if beginning.isEmpty || isOwn(beginning) { return destination }
    let start = beginning[...]
    guard inputs.isEmpty || ImageFormat(sniffing: start.span) == nil else { throw refusal }
    guard overwrites else {
      throw .output(
        "\(path) exists but does not look like lqip output; pass --force to replace it")
    }
    return destination
  }

  /// Replaces the output with the given bytes, if ``destination(apartFrom:_:)`` allows it.
  package func replace(with bytes: [UInt8], _ isOwn: ([UInt8]) -> Bool) throws(CommandError) {
    var file = try OutputFile(try destination(isOwn))
    try file.write(bytes)
    try file.commit()
  }
}
