import LqipRecords
import LqipSystem

extension FilePath {
  /// The current directory, from `getcwd`.
  static var workingDirectory: FilePath {
    get throws(SystemError) {
      guard let path = unsafe getcwd(nil, 0) else { throw .last }
      defer { unsafe free(path) }
      return unsafe FilePath(cString: path)
    }
  }

  /// Returns the percent-encoded URL of this file relative to the directory of a page.
  ///
  /// As in URLs, `.` and `..` are resolved without following symbolic links. Relative paths start from
  /// `workingDirectory`.
  func url(from directory: FilePath, workingDirectory: FilePath) -> String {
    func names(of path: FilePath) -> [ArraySlice<UInt8>] {
      let isAbsolute = path.bytes.first == Self.separator
      return (isAbsolute ? path : workingDirectory + [Self.separator] + path.bytes).lexicalNames
    }
    let (target, start) = (names(of: self), names(of: directory))
    let sharedCount = zip(target.dropLast(), start).prefix { $0 == $1 }.count
    let climb = repeatElement("..", count: start.count - sharedCount)
    return (climb + target.dropFirst(sharedCount).map { FilePath(Array($0)).urlPath })
      .joined(separator: "/")
  }

  /// The path for a URL: all bytes are percent-encoded except `/` and the unreserved characters of RFC 3986, section 2.3.
  var urlPath: String {
    bytes.map { byte in
      byte.isASCIIAlphanumeric || "-._~/".utf8.contains(byte)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
