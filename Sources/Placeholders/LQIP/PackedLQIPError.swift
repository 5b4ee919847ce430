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
    case .wrongLength(let length): "a packed LQIP has 9 characters, this has \(length)"
    case .notHexadecimal: "a packed LQIP is # and 8 hexadecimal digits"
    }
  }
}
