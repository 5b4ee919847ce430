/// Why a text is not a packed LQIP.
@nonexhaustive
public enum PackedLQIPError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It does not have the 9 characters that there must be; counted in UTF-8 bytes.
  case wrongLength(Int)

  /// It is not a `#` with hexadecimal digits behind it.
  case notHexadecimal

  /// One line for people.
  public var description: String {
    switch self {
    case .wrongLength(let length): "expected 9 characters, found \(length)"
    case .notHexadecimal: "expected # and 8 hexadecimal digits"
    }
  }
}
