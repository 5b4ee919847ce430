internal import Placeholders

/// A copy of a small image with few colors and edges, such as a chart, which may fit into a preview as it is.
///
/// The copy ends as soon as the image is too varied, so it takes no time for photos. Of 737 files of 65 to 256 pixels,
/// 310 fit into 400 characters.
struct FlatPixels {
  static let maximumSide = 256
  private static let maximumColorCount = 32
  /// The maximum number of pixels that differ from their left neighbors.
  private static let maximumEdgeCount = 4096

  private let width: Int
  private let height: Int
  private let layout: SampleLayout
  private var pixels: [UInt8]
  private var rowCount = 0
  private var colors: [[UInt8]] = []
  private var edgeCount = 0

  /// Starts a copy; nil if the image is too large or is not decoded to its own pixels.
  init?(width: Int, height: Int, layout: SampleLayout, scale: Int) {
    guard max(width, height) <= Self.maximumSide, scale == 1, layout != .cmyk else { return nil }
    (self.width, self.height, self.layout) = (width, height, layout)
    pixels = Array(repeating: 255, count: width * height * 4)
  }

  /// Adds the first `count` pixels of a row; returns false if the image is too varied.
  mutating func add(_ row: [UInt8], y: Int, count: Int, step: Int) -> Bool {
    guard count == width, step == 1, y < height else { return false }
    rowCount += 1
    var last: ArraySlice<UInt8> = []
    for x in 0..<width {
      let sample = row[x * layout.count..<(x + 1) * layout.count]
      if !sample.elementsEqual(last) {
        last = sample
        edgeCount += 1
        if !colors.contains(where: { $0.elementsEqual(sample) }) { colors.append(Array(sample)) }
        guard edgeCount <= Self.maximumEdgeCount, colors.count <= Self.maximumColorCount else {
          return false
        }
      }
      let (start, first) = ((y * width + x) * 4, sample.startIndex)
      let isGray = layout.count < 3
      for channel in 0..<3 { pixels[start + channel] = sample[first + (isGray ? 0 : channel)] }
      if layout.hasAlpha { pixels[start + 3] = sample[first + layout.count - 1] }
    }
    return true
  }

  /// The image; nil if rows are missing.
  var bitmap: RGBABitmap? {
    rowCount == height ? RGBABitmap(width: width, height: height, unchecked: pixels) : nil
  }
}
