import LqipSystem
import LqipRecords

/// What a page in some directory calls a file in some other.
struct RelativeURL: Hashable, Sendable {
  /// The URL, in which every byte that could mean something else is escaped.
  let text: String

  /// Finds the way from a directory to a file; `.` and `..` are resolved as in URLs, without following links.
  ///
  /// - Parameters:
  ///   - file: The file, as the program was told.
  ///   - directory: The directory of the page, as the program was told.
  ///   - workingDirectory: Where relative paths begin.
  init(to file: FilePath, from directory: FilePath, workingDirectory: FilePath) {
    let target = Self.components(of: file, in: workingDirectory)
    let start = Self.components(of: directory, in: workingDirectory)
    let sharedCount = zip(target.dropLast(), start).prefix { $0 == $1 }.count
    let climb = repeatElement("..", count: start.count - sharedCount)
    text = (climb + target.dropFirst(sharedCount).map { FilePath(Array($0)).urlPath })
      .joined(separator: "/")
  }

  /// The names from the root on.
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
  /// Where relative paths begin; the corresponding C function is `getcwd`.
  static var workingDirectory: FilePath {
    get throws(SystemError) {
      guard let path = unsafe getcwd(nil, 0) else { throw .last }
      defer { unsafe free(path) }
      return unsafe FilePath(cString: path)
    }
  }
}
