/// A blurred preview as a short text: the lowest cosine terms of an image, quantized.
///
/// The value holds just what the text does, so that reading and writing lose nothing.
///
/// Source: woltapp/blurhash, `Algorithm.md`; its C implementation where that is more precise.
public struct BlurHash: Sendable, Hashable, CustomStringConvertible {
  /// The largest of the AC terms, quantized: 0...82 stand for 1/166...83/166.
  package let quantizedMaximum: Int

  /// The average color: three sRGB samples, 24 bits.
  package let dc: Int

  /// Three digits of base 19 a term, for red, green and blue; row-major, from the second term on.
  package let ac: [Int]

  /// The number of terms along each axis.
  public let components: ComponentCount

  /// Takes quantized values, which are in range.
  package init(components: ComponentCount, quantizedMaximum: Int, dc: Int, ac: [Int]) {
    precondition(ac.count == components.count - 1, "every term but the first is an AC term")
    self.components = components
    self.quantizedMaximum = quantizedMaximum
    self.dc = dc
    self.ac = ac
  }

  /// The largest AC value that the quantization can express.
  var maximum: Float { Float(quantizedMaximum + 1) / 166 }

  /// The average color of the image.
  public var averageColor: SRGBColor {
    SRGBColor(
      red: UInt8(truncatingIfNeeded: dc >> 16), green: UInt8(truncatingIfNeeded: dc >> 8),
      blue: UInt8(truncatingIfNeeded: dc))
  }
}

extension BlurHash {
  private static let dcRange = 2..<6
  private static let largestSizeFlag = 80
  private static let largestDC = 0xFF_FFFF
  private static let largestAC = 19 * 19 * 19 - 1

  /// Reads a text, strictly.
  ///
  /// - Parameter string: 4 + 2 · x · y digits of base 83.
  /// - Throws: ``BlurHashError``, for any text that no encoder could have written.
  public init(_ string: String) throws(BlurHashError) {
    let bytes = ContiguousArray(string.utf8)
    try self.init(bytes.span)
  }

  /// Reads the bytes of a text, as strictly.
  package init(_ text: Span<UInt8>) throws(BlurHashError) {
    guard text.count >= Self.dcRange.upperBound else { throw .tooShort(length: text.count) }
    let sizeFlag = try Base83.value(of: text, in: 0..<1)
    guard sizeFlag <= Self.largestSizeFlag else { throw .sizeFlagOutOfRange(sizeFlag) }
    let components = ComponentCount(x: sizeFlag % 9 + 1, y: sizeFlag / 9 + 1)
    let length = 4 + 2 * components.count
    guard text.count == length else {
      throw .wrongLength(expected: length, actual: text.count)
    }
    let quantizedMaximum = try Base83.value(of: text, in: 1..<2)
    let dc = try Base83.value(of: text, in: Self.dcRange)
    guard dc <= Self.largestDC else { throw .dcOutOfRange(dc) }
    var ac: [Int] = []
    ac.reserveCapacity(components.count - 1)
    for term in 1..<components.count {
      let value = try Base83.value(of: text, in: 4 + 2 * term..<6 + 2 * term)
      guard value <= Self.largestAC else { throw .acOutOfRange(term: term, value: value) }
      ac.append(value)
    }
    self.init(components: components, quantizedMaximum: quantizedMaximum, dc: dc, ac: ac)
  }

  /// The text: 4 + 2 · x · y digits of base 83.
  public var string: String {
    var text: [UInt8] = []
    Base83.append(components.x - 1 + (components.y - 1) * 9, digitCount: 1, to: &text)
    Base83.append(quantizedMaximum, digitCount: 1, to: &text)
    Base83.append(dc, digitCount: 4, to: &text)
    for value in ac { Base83.append(value, digitCount: 2, to: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text.
  public var description: String { string }
}

#if !hasFeature(Embedded)
/// Coded as text: its string.
extension BlurHash: Codable {
  /// Reads the text, or throws a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueOfText { try BlurHash($0) }
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(text: string)
  }
}
#endif

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
    case .sizeFlagOutOfRange(let value): "invalid size digit \(value) (at most 80)"
    case .dcOutOfRange(let value): "invalid average color \(value) (at most 16777215)"
    case .acOutOfRange(let term, let value):
      "invalid value \(value) for term \(term) (at most 6858)"
    }
  }
}

/// How many cosine terms a BlurHash keeps along each axis.
public struct ComponentCount: Sendable, Hashable, CustomStringConvertible {
  /// The counts that the format can express.
  public static let range: ClosedRange<Int> = 1...9

  /// Terms across.
  public let x: Int
  /// Terms down.
  public let y: Int

  /// Takes both counts.
  ///
  /// - Precondition: Both are in ``range``.
  public init(x: Int, y: Int) {
    precondition(Self.range.contains(x) && Self.range.contains(y), "components are in 1...9")
    self.x = x
    self.y = y
  }

  /// Takes a text as `4x3`; nil if it is malformed, or if a count is out of range.
  public init?(_ description: String) {
    let digits = description.utf8.map { Int($0) - Int(UInt8(ascii: "0")) }
    guard
      digits.count == 3, description.utf8.dropFirst().first == UInt8(ascii: "x"),
      Self.range.contains(digits[0]), Self.range.contains(digits[2])
    else { return nil }
    self.init(x: digits[0], y: digits[2])
  }

  /// Chooses counts by an image's shape: 4 along the long side, 3 along the short, 4 by 4 if square.
  public static func auto(width: Int, height: Int) -> ComponentCount {
    ComponentCount(x: width < height ? 3 : 4, y: height < width ? 3 : 4)
  }

  /// The counts as `4x3`.
  public var description: String { "\(x)x\(y)" }

  /// The number of all terms.
  var count: Int { x * y }
}

/// The digits of a BlurHash.
///
/// Source: woltapp/blurhash, `Algorithm.md`.
enum Base83 {
  static let alphabet: [UInt8] = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

  private static let values: [Int?] = (0...UInt8.max).map { alphabet.firstIndex(of: $0) }

  /// Reads a number of as many digits as the range has, the highest first.
  static func value(
    of text: Span<UInt8>, in range: Range<Int>
  ) throws(BlurHashError) -> Int {
    var result = 0
    for index in range {
      guard let digit = values[Int(text[index])] else {
        throw .invalidCharacter(offset: index)
      }
      result = result * 83 + digit
    }
    return result
  }

  /// Writes a number with a fixed count of digits, the highest first.
  static func append(_ value: Int, digitCount: Int, to text: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<digitCount { divisor *= 83 }
    while divisor > 0 {
      text.append(alphabet[value / divisor % 83])
      divisor /= 83
    }
  }
}
