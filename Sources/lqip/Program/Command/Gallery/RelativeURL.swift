import LqipSystem
import LqipRecords

/// The URL of a file relative to the directory of a page.
struct RelativeURL: Hashable, Sendable {
  /// The URL, with special bytes percent-encoded.
  let text: String

  /// Creates the URL of a file relative to a directory.
  ///
  /// As in URLs, `.` and `..` are resolved without following symbolic links.
  ///
  /// - Parameters:
  ///   - file: The file, absolute or relative to `workingDirectory`.
  ///   - directory: The directory of the page, absolute or relative to `workingDirectory`.
  ///   - workingDirectory: The directory that relative paths start from.
  init(to file: FilePath, from directory: FilePath, workingDirectory: FilePath) {
    let target = Self.components(of: file, in: workingDirectory)
    let start = Self.components(of: directory, in: workingDirectory)
    let sharedCount = zip(target.dropLast(), start).prefix { $0 == $1 }.count
    let climb = repeatElement("..", count: start.count - sharedCount)
    text = (climb + target.dropFirst(sharedCount).map { FilePath(Array($0)).urlPath })
      .joined(separator: "/")
  }

  /// Returns the resolved path components from the root.
  private static func components(
    of path: FilePath, in workingDirectory: FilePath
  ) -> [ArraySlice<UInt8>] {
    let isAbsolute = path.bytes.first == FilePath.separator
    let bytes = isAbsolute ? path.bytes : workingDirectory.bytes + [FilePath.separator] + path.bytes
    var names: [ArraySlice<UInt8>] = []
    for name in bytes.split(separator: FilePath.separator) {
      switch Array(name) {
      case Array(".".utf8): continue
      case Array("..".utf8): _ = names.popLast()
      default: names.append(name)
      }
    }
    return names
  }
}

extension FilePath {
  /// The current directory, from `getcwd`.
  static var workingDirectory: FilePath {
    get throws(SystemError) {
      guard let path = unsafe getcwd(nil, 0) else { throw .last }
      defer { unsafe free(path) }
      return unsafe FilePath(cString: path)
    }
  }
}
