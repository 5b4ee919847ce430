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
