/// What the name of an output stands for.
package enum OutputDestination: Sendable {
  /// A descriptor that whoever started the program has opened.
  case descriptor(Int32)
  /// A device or a pipe.
  case device(FilePath)
  /// A file to be made or replaced, and what is there now.
  case file(FilePath, FileStatus?)

  /// Looks at what a path stands for; nil or `-` is standard output.
  package init(_ path: FilePath?) throws(CommandError) {
    guard let path, path != Self.dash else {
      self = .standardOutput
      return
    }
    // Opened by these names, a file would be written from its beginning.
    if let number = Self.descriptor(named: path) {
      self = .descriptor(number)
      return
    }
    do throws(SystemError) {
      let path = try Self.resolved(path)
      let status = try Self.existing(path)
      self = status?.kind ?? .regular == .regular ? .file(path, status) : .device(path)
    } catch {
      throw .writing("\(path)", error)
    }
  }

  package static let standardOutput = OutputDestination.descriptor(STDOUT_FILENO)

  /// The file that will be replaced or made, if it is one.
  package var file: FilePath? {
    if case .file(let path, _) = self { path } else { nil }
  }

  /// What is there now, if it is a file that will be replaced.
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

  /// What is there now; nil when nothing is.
  private static func existing(_ path: FilePath) throws(SystemError) -> FileStatus? {
    do {
      return try FileStatus(of: path, followsLinks: true)
    } catch {
      guard error == .notFound else { throw error }
      return nil
    }
  }

  /// The file that symbolic links lead to, be it there or not, so that the links stay.
  private static func resolved(_ path: FilePath) throws(SystemError) -> FilePath {
    var path = path
    // As many as Linux follows.
    for _ in 0..<40 {
      guard (try? FileStatus(of: path, followsLinks: false))?.kind == .symbolicLink else {
        return path
      }
      let target = try path.linkTarget()
      let isAbsolute = target.bytes.first == FilePath.separator
      path = isAbsolute ? target : path.directory + target.bytes
    }
    throw SystemError(number: ELOOP)
  }
}

extension OutputDestination: CustomStringConvertible {
  /// The name for people.
  package var description: String {
    switch self {
    case .descriptor(STDOUT_FILENO): "standard output"
    case .descriptor(let number): "descriptor \(number)"
    case .device(let path), .file(let path, _): "\(path)"
    }
  }
}
