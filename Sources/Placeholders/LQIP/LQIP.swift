/// A preview of three or six colors in 32 or 64 bits, which a stylesheet renders as gradients.
///
/// A web page assigns ``first`` to the property `--lqip` and ``second`` to `--lqip2`; see ``stylesheet``.
///
/// Source: frzi/lqip-css for three colors; six colors are an extension.
public struct LQIP: Sendable, Hashable {
  /// The colors at the top left, at the center and at the bottom right.
  public let first: PackedColors

  /// Three more colors, drawn over the first three; nil for a value of three colors.
  public let second: PackedColors?

  /// Creates a value of three or six colors.
  public init(_ first: PackedColors, _ second: PackedColors? = nil) {
    self.first = first
    self.second = second
  }

  /// The three or six colors, in the order in which they are drawn: red, green and blue of encoded sRGB, 0...1.
  public var colors: [SIMD3<Float>] { first.colors + (second?.colors ?? []) }

  /// The gradients of all colors but the first, in the order of ``colors``.
  public var gradients: [LQIPGradient] {
    second == nil ? LQIPGradient.forThreeColors : LQIPGradient.forSixColors
  }

  package var values: [PackedColors] { [first] + (second.map { [$0] } ?? []) }
}

extension LQIP: PlaceholderText {
  /// The reason why a string is not an LQIP.
  @nonexhaustive
  public enum ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A packed value is not 9 UTF-8 bytes long; the associated value is the actual length.
    case wrongLength(Int)

    /// A packed value is not `#` followed by hexadecimal digits.
    case notHexadecimal

    /// A one-line message.
    public var description: String {
      switch self {
      case .wrongLength(let length): "expected 9 characters, found \(length)"
      case .notHexadecimal: "expected '#' followed by 8 hexadecimal digits"
      }
    }
  }

  /// Parses one packed value, or two separated by a space; a value is `#` and 8 hexadecimal digits of either case.
  ///
  /// - Throws: ``ParsingError`` for any other string.
  public init(parsing text: String) throws(ParsingError) {
    guard text.utf8.count == 19, text.utf8.dropFirst(9).first == UInt8(ascii: " ") else {
      self.init(try PackedColors(parsing: text))
      return
    }
    self.init(
      try PackedColors(parsing: String(decoding: text.utf8.prefix(9), as: UTF8.self)),
      try PackedColors(parsing: String(decoding: text.utf8.suffix(9), as: UTF8.self)))
  }

  /// One packed value, such as `#36b37520`, or two, separated by a space.
  public var description: String { first.description + (second.map { " \($0)" } ?? "") }
}
