/// A preview in one integer, which CSS alone unpacks: a base color, and six levels of light over it.
///
/// Source: Lean Rada, "Minimal CSS-only blurry image placeholders" (2025),
/// <https://leanrada.com/notes/css-only-lqip/>. From the highest bit on: the level of each cell of three
/// columns and two rows in 2 bits, row-major; the lightness of the base in 2, green to red in 3 and blue to
/// yellow in 3. The integer is that number less 2^19, as CSS keeps six digits of a number.
public struct IntegerLQIP: Sendable, Hashable {
  /// The integers that there are.
  public static let range: ClosedRange<Int> = -(1 << 19)...(1 << 19) - 1

  /// The integer as it stands in CSS.
  public let value: Int

  /// Takes an integer; nil outside of ``range``.
  public init?(_ value: Int) {
    guard Self.range.contains(value) else { return nil }
    self.value = value
  }

  /// Reads an integer as it is written in CSS; nil for any other text.
  public init?(_ text: String) {
    guard let value = Int(text), String(value) == text else { return nil }
    self.init(value)
  }

  /// Packs the fields.
  init(levels: [Int], base: IntegerLQIPBase) {
    value = levels.reduce(0) { $0 << 2 | $1 } << 8 - 1 << 19 + base.index
  }

  private var bits: Int { value + 1 << 19 }

  /// How light each cell is, 0...3; row-major.
  var levels: [Int] {
    (0..<6).map { bits >> (18 - 2 * $0) & 3 }
  }

  /// What lies under the cells.
  var base: IntegerLQIPBase { IntegerLQIPBase(index: bits & 255) }
}

extension IntegerLQIP: CustomStringConvertible {
  /// The integer as it is written in CSS.
  public var description: String { "\(value)" }
}
