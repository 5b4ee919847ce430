/// The output to which a path refers.
package enum OutputDestination: Sendable {
  /// A descriptor inherited from the parent process.
  case descriptor(Int32)
  /// A device or a pipe.
  case device(FilePath)
  /// A file to create or replace, with the status of the existing file, if any.
  case file(FilePath, FileStatus?)

  /// Resolves a path; `nil` and `-` are standard output.
  package init(_ path: FilePath?) throws(CommandError) {
    guard let path, path != Self.dash else {
      self = .standardOutput
      return
    }
    // Opening one of these names would start at offset 0 instead of the current offset.
    if let number = Self.descriptor(named: path) {
      self = .descriptor(number)
      return
    }
    do throws(SystemError) {
      let (path, status) = try Self.resolved(path)
      self = status?.kind ?? .regular == .regular ? .file(path, status) : .device(path)
    } catch {
      throw .writing("\(path)", error)
    }
  }

  package static let standardOutput = OutputDestination.descriptor(STDOUT_FILENO)

  /// The file to create or replace; `nil` for a descriptor or a device.
  package var file: FilePath? {
    if case .file(let path, _) = self { path } else { nil }
  }

  /// The status of the file to replace; `nil` if no file exists.
  var before: FileStatus? {
    if case .file(_, let before) = self { before } else { nil }
  }

  private static let dash = FilePath("-")

  private static func descriptor(named path: FilePath) -> Int32? {
    switch String(decoding: path.bytes, as: UTF8.self) {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    case let name:
      let prefix = ["/dev/fd/", "/proc/self/fd/"].first(where: name.hasPrefix)
      return prefix.flatMap { Int32(name.dropFirst($0.count)) }
    }
  }

  /// Resolves symbolic links, including dangling ones, so that writing preserves the links; the status is `nil` if no
  /// file exists.
  private static func resolved(
    _ path: FilePath
  ) throws(SystemError) -> (FilePath, FileStatus?) {
    var path = path
    // Source: path_resolution(7); Linux follows at most 40 links.
    for _ in 0..<40 {
      let status: FileStatus
      do {
        status = try FileStatus(of: path, followsLinks: false)
      } catch {
        guard error == .notFound else { throw error }
        return (path, nil)
      }
      guard status.kind == .symbolicLink else { return (path, status) }
      let target = try path.linkTarget()
      let isAbsolute = target.bytes.first == FilePath.separator
      path = isAbsolute ? target : path.directory + target.bytes
    }
    throw SystemError(number: ELOOP)
  }
}

extension OutputDestination: CustomStringConvertible {
  /// The name for messages.
  package var description: String {
    switch self {
    case .descriptor(STDOUT_FILENO): "standard output"
    case .descriptor(let number): "descriptor \(number)"
    case .device(let path), .file(let path, _): "\(path)"
    }
  }
}
