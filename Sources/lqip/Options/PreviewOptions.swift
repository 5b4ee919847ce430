internal import LqipFiles
package import PlaceholderEncoding

/// How a placeholder string is drawn: what any caller may choose.
package struct PreviewOptions: Hashable, Sendable {
  package var width: Int?
  package var height: Int?
  package var punch: Float?
  package var second: PackedLQIP?

  package init() {}

  /// With 100, every color but the average's is at the end of its range.
  private static let maximumPunch: Float = 100

  /// The rows for the tables of those that draw, up to their largest side.
  package static func table(maximumSide: Int) -> [CommandOption<Self>] {
    [
      .value(
        "--width", "PIXELS", \.width, .integer(in: 1...maximumSide),
        help: "Width of the image, up to \(maximumSide)."),
      .value(
        "--height", "PIXELS", \.height, .integer(in: 1...maximumSide),
        help: "Height of the image, up to \(maximumSide)."),
      .value(
        "--lqip2", "LQIP", \.second, .lqip,
        help: "The second value of an LQIP of six colors."),
      .value(
        "--punch", "NUMBER", \.punch, .positive(upTo: maximumPunch),
        help: "Contrast of a BlurHash: above 1 for more, up to \(Int(maximumPunch)), below for "
          + "less. Default: 1."),
    ]
  }

  /// What of the options is not for the kind of string; nil if everything is.
  package func conflict(isLQIP: Bool) -> String? {
    switch (isLQIP, punch, second) {
    case (true, _?, _): "'punch' is for a BlurHash; an LQIP has no contrast to change"
    case (false, _, _?): "'lqip2' is for an LQIP; a BlurHash has no second value"
    default: nil
    }
  }

  /// Reads a string and works out how it is drawn.
  ///
  /// - Parameters:
  ///   - text: A string of either kind.
  ///   - isLQIP: Which kind it is to be.
  ///   - maximumSide: What a side may have that follows from the other.
  /// - Returns: All that drawing needs.
  /// - Throws: ``PreviewError``.
  package func preview(of text: String, isLQIP: Bool, maximumSide: Int) throws(PreviewError)
    -> Preview
  {
    if let reason = conflict(isLQIP: isLQIP) { throw .conflict(reason) }
    return isLQIP
      ? try preview(ofLQIP: text, maximumSide) : try preview(ofBlurHash: text, maximumSide)
  }

  private func preview(
    ofLQIP text: String, _ maximumSide: Int
  ) throws(PreviewError) -> Preview {
    let lqip: PackedLQIP
    do {
      lqip = try PackedLQIP(text)
    } catch {
      throw .malformed("malformed LQIP '\(FilePath(text))': \(error)")
    }
    let size = try size(ratio: 1, 1, maximumSide: maximumSide)
    return .lqip(lqip, second: second, width: size.width, height: size.height)
  }

  private func preview(
    ofBlurHash text: String, _ maximumSide: Int
  ) throws(PreviewError) -> Preview {
    let hash: BlurHash
    do {
      hash = try BlurHash(text)
    } catch {
      throw .malformed("malformed BlurHash '\(FilePath(text))': \(error)")
    }
    let (x, y) = (hash.components.x, hash.components.y)
    let size = try size(ratio: x, y, maximumSide: maximumSide)
    return .blurHash(hash, width: size.width, height: size.height, punch: punch ?? 1)
  }

  /// The size of the image, whose missing sides follow from the ratio.
  private func size(
    ratio x: Int, _ y: Int, maximumSide: Int
  ) throws(PreviewError) -> (width: Int, height: Int) {
    let width = width ?? height.map { Self.scaled($0, by: x, over: y) } ?? 256
    let height = height ?? Self.scaled(width, by: y, over: x)
    guard max(width, height) <= maximumSide else {
      let limit = "a side may have \(maximumSide) at most; give both 'width' and 'height'"
      throw .conflict("the image would have \(width)x\(height) pixels, but \(limit)")
    }
    return (width, height)
  }

  private static func scaled(_ side: Int, by numerator: Int, over denominator: Int) -> Int {
    max(1, (side * numerator + denominator / 2) / denominator)
  }
}
