/// Why a text is not a BlurHash.
@nonexhaustive
public enum BlurHashError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It has fewer than the 6 characters of the shortest hash.
  case tooShort(length: Int)

  /// Its first digit promises another length; both count UTF-8 bytes.
  case wrongLength(expected: Int, actual: Int)

  /// A byte of its UTF-8 is none of the 83 digits.
  case invalidCharacter(offset: Int)

  /// Its first digit, at most 80 for 9×9 components, is larger.
  case sizeFlagOutOfRange(Int)

  /// Its average color has more than 24 bits.
  case dcOutOfRange(Int)

  /// One of its terms is beyond the 19×19×19 that there are; the first one counts as 1.
  case acOutOfRange(term: Int, value: Int)

  /// One line for people.
  public var description: String {
    switch self {
    case .tooShort(let length): "expected at least 6 characters, found \(length)"
    case .wrongLength(let expected, let actual):
      "expected \(expected) characters, found \(actual)"
    case .invalidCharacter(let offset): "character \(offset + 1) is not a base-83 digit"
    case .sizeFlagOutOfRange(let value): "invalid size digit \(value) (maximum 80)"
    case .dcOutOfRange(let value): "invalid average color \(value) (maximum 16777215)"
    case .acOutOfRange(let term, let value):
      "invalid value \(value) for term \(term) (maximum 6858)"
    }
  }
}
