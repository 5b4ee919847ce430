internal import LqipFiles

/// What a page in some directory calls a file in some other.
struct RelativeURL: Hashable, Sendable {
  /// The URL, in which every byte that could mean something else is escaped.
  let text: String

  /// Finds the way from a directory to a file; `.` and `..` are taken by their letters, as URLs do.
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
    text = (climb + target.dropFirst(sharedCount).map(Self.escaped)).joined(separator: "/")
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

  /// Escapes all but the characters without a meaning of RFC 3986, section 2.3.
  private static func escaped(_ name: ArraySlice<UInt8>) -> String {
    name.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default:
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
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
