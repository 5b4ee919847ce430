/// A blurred preview as a short string: the lowest-frequency cosine terms of an image, quantized.
///
/// The value stores the digits of the string, so parsing and formatting are lossless.
///
/// Source: woltapp/blurhash, `Algorithm.md`; rounding follows its C implementation.
public struct BlurHash: Sendable, Hashable {
  /// The quantized maximum magnitude of the AC terms, 0...82; the value n stands for (n + 1) / 166.
  package let quantizedMaximum: Int

  /// The average color as three 8-bit sRGB samples: `0xRRGGBB`.
  package let dc: Int

  /// The AC terms, row-major; each packs red, green and blue as three base-19 digits.
  package let ac: [Int]

  /// The number of terms along each axis.
  public let components: ComponentCount

  /// Creates a hash from quantized values, which must be in range.
  package init(components: ComponentCount, quantizedMaximum: Int, dc: Int, ac: [Int]) {
    precondition(
      ac.count == components.count - 1, "expected one AC term per component except the first")
    self.components = components
    self.quantizedMaximum = quantizedMaximum
    self.dc = dc
    self.ac = ac
  }

  var maximum: Float { Float(quantizedMaximum + 1) / 166 }

  /// The average color of the image.
  public var averageColor: SRGBColor {
    SRGBColor(
      red: UInt8(truncatingIfNeeded: dc >> 16), green: UInt8(truncatingIfNeeded: dc >> 8),
      blue: UInt8(truncatingIfNeeded: dc))
  }
}

extension BlurHash: PlaceholderText {
  private static let dcRange = 2..<6
  private static let largestSizeFlag = 80
  private static let largestDC = 0xFF_FFFF
  private static let largestAC = 19 * 19 * 19 - 1

  /// Parses a string of 4 + 2 · x · y base-83 digits, for x × y components.
  ///
  /// - Throws: ``ParsingError`` if the length, a digit or a value is invalid.
  public init(parsing text: String) throws(ParsingError) {
    let text = Array(text.utf8)
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

  /// The text form: 4 + 2 · x · y base-83 digits, for x × y components.
  public var description: String {
    var text: [UInt8] = []
    Base83.append(components.x - 1 + (components.y - 1) * 9, digitCount: 1, to: &text)
    Base83.append(quantizedMaximum, digitCount: 1, to: &text)
    Base83.append(dc, digitCount: 4, to: &text)
    for value in ac { Base83.append(value, digitCount: 2, to: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The reason why a string is not a BlurHash.
  @nonexhaustive
  public enum ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The string has fewer than 6 UTF-8 bytes, the length of the shortest hash.
    case tooShort(length: Int)

    /// The length differs from the one that the first digit implies; both are in UTF-8 bytes.
    case wrongLength(expected: Int, actual: Int)

    /// The UTF-8 byte at `offset` is not one of the 83 digits.
    case invalidCharacter(offset: Int)

    /// The first digit exceeds 80, which stands for 9×9 components.
    case sizeFlagOutOfRange(Int)

    /// The average color has more than 24 bits.
    case dcOutOfRange(Int)

    /// The value of an AC term exceeds 6858, the largest number of three base-19 digits; terms are numbered from 1.
    case acOutOfRange(term: Int, value: Int)

    /// A one-line message.
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
}

extension BlurHash {
  /// The number of cosine terms along each axis.
  public struct ComponentCount: Sendable, Hashable, LosslessStringConvertible {
    /// The valid counts for each axis.
    public static let range: ClosedRange<Int> = 1...9

    /// The number of horizontal terms.
    public let x: Int
    /// The number of vertical terms.
    public let y: Int

    /// Creates a pair of counts.
    ///
    /// - Precondition: Both are in ``range``.
    public init(x: Int, y: Int) {
      precondition(
        Self.range.contains(x) && Self.range.contains(y), "expected 1 to 9 components per axis")
      self.x = x
      self.y = y
    }

    /// Parses text such as `4x3`; nil if it is malformed or a count is out of range.
    public init?(_ description: String) {
      let digits = description.utf8.map { Int($0) - Int(UInt8(ascii: "0")) }
      guard
        digits.count == 3, description.utf8.dropFirst().first == UInt8(ascii: "x"),
        Self.range.contains(digits[0]), Self.range.contains(digits[2])
      else { return nil }
      self.init(x: digits[0], y: digits[2])
    }

    /// The text form, such as `4x3`.
    public var description: String { "\(x)x\(y)" }

    var count: Int { x * y }
  }

  /// The number of components of a new hash: automatic or fixed.
  public enum Components: Sendable, Hashable, LosslessStringConvertible {
    /// 4 components along the long side of the image and 3 along the short side; 4×4 for a square image.
    case auto
    /// A fixed number of components along each axis, independent of the shape of the image.
    case exactly(ComponentCount)

    /// Returns a fixed number of components: `x` horizontally and `y` vertically.
    ///
    /// - Precondition: Both counts are in ``ComponentCount/range``.
    public static func exactly(x: Int, y: Int) -> Components {
      .exactly(ComponentCount(x: x, y: y))
    }

    /// Parses `auto` or counts such as `4x3`; nil for any other string.
    public init?(_ description: String) {
      if description == "auto" {
        self = .auto
      } else if let count = ComponentCount(description) {
        self = .exactly(count)
      } else {
        return nil
      }
    }

    /// The text form: `auto`, or counts such as `4x3`.
    public var description: String {
      switch self {
      case .auto: "auto"
      case .exactly(let count): "\(count)"
      }
    }

    func count(width: Int, height: Int) -> ComponentCount {
      switch self {
      case .auto: ComponentCount(x: width < height ? 3 : 4, y: height < width ? 3 : 4)
      case .exactly(let count): count
      }
    }
  }
}

/// The base-83 digits of a BlurHash.
///
/// Source: woltapp/blurhash, `Algorithm.md`.
enum Base83 {
  static let alphabet: [UInt8] = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

  /// Parses the number in a range of digits, the most significant digit first.
  static func value(of text: [UInt8], in range: Range<Int>) throws(BlurHash.ParsingError) -> Int {
    var result = 0
    for index in range {
      guard let digit = alphabet.firstIndex(of: text[index]) else {
        throw .invalidCharacter(offset: index)
      }
      result = result * 83 + digit
    }
    return result
  }

  /// Appends a number as `digitCount` digits, the most significant first.
  static func append(_ value: Int, digitCount: Int, to text: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<digitCount { divisor *= 83 }
    while divisor > 0 {
      text.append(alphabet[value / divisor % 83])
      divisor /= 83
    }
  }
}
