/// The Exif orientation: the sides of the upright image on which the first stored row and column are displayed.
///
/// Source: Exif 2.32, tag 0x0112.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
  /// First row at the top, first column on the left.
  case up = 1
  /// First row at the top, first column on the right: mirrored horizontally.
  case upMirrored
  /// First row at the bottom, first column on the right: rotated by 180°.
  case down
  /// First row at the bottom, first column on the left: mirrored vertically.
  case downMirrored
  /// First row on the left, first column at the top: rows and columns swapped.
  case leftMirrored
  /// First row on the right, first column at the top: rotated clockwise by 90° for display.
  case right
  /// First row on the right, first column at the bottom: rows and columns swapped, and rotated by 180°.
  case rightMirrored
  /// First row on the left, first column at the bottom: rotated counterclockwise by 90° for display.
  case left

  /// Whether the stored rows are the columns of the upright image.
  public var swapsAxes: Bool { rawValue >= Self.leftMirrored.rawValue }

  /// Whether the columns of the upright image are stored in reverse order.
  public var mirrorsColumns: Bool {
    switch self {
    case .upMirrored, .down, .right, .rightMirrored: true
    case .up, .downMirrored, .leftMirrored, .left: false
    }
  }

  /// Whether the rows of the upright image are stored in reverse order.
  public var mirrorsRows: Bool {
    switch self {
    case .down, .downMirrored, .rightMirrored, .left: true
    case .up, .upMirrored, .leftMirrored, .right: false
    }
  }
}
