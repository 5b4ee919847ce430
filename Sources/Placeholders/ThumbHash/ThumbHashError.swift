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
    case .notBase64: "it is not base64"
    case .tooShort(let byteCount): "a ThumbHash has at least 5 bytes, this has \(byteCount)"
    case .wrongLength(let expected, let actual):
      "its header promises \(expected) bytes, there are \(actual)"
    case .noShape(let shortSide): "its shorter side has \(shortSide) terms"
    }
  }
}
