internal import LqipFiles

/// Why there are no tokens in a file.
enum TokenListError: Error, Hashable, Sendable {
  case unreadable(SystemError)
  case notRegular
  case empty
  /// A line, counted from 1, that is not a token; its text may be a secret, and is not shown.
  case malformed(line: Int)
}

extension TokenListError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .notRegular: "not a regular file"
    case .empty: "no tokens"
    case .malformed(let line):
      "line \(line): invalid token; use letters, digits and -._~+/= only"
    }
  }
}
