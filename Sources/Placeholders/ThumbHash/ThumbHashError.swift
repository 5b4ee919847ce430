/// Why bytes or a text are not a ThumbHash.
@nonexhaustive
public enum ThumbHashError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text is not base64 with padding, as RFC 4648 section 4 defines it.
  case notBase64
  /// It has fewer bytes than its header.
  case tooShort(byteCount: Int)
  /// Its header promises other terms than there are.
  case wrongLength(expected: Int, actual: Int)
  /// Its shorter side is not from one term up to as many as the longer one.
  case noShape(Int)

  /// One line for people.
  public var description: String {
    switch self {
    case .notBase64: "expected base64 with padding"
    case .tooShort(let byteCount): "expected at least 5 bytes, found \(byteCount)"
    case .wrongLength(let expected, let actual):
      "expected \(expected) bytes, found \(actual)"
    case .noShape(let shortSide): "invalid number of terms on the short side: \(shortSide)"
    }
  }
}
