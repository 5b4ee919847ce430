/// The Exif orientation: the sides of the upright image on which the first stored row and column are displayed.
///
/// Source: Exif 2.32, tag 0x0112.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
  /// First row at the top, first column on the left.
  case up = 1
  /// Top, right: mirrored horizontally.
  case upMirrored
  /// Bottom, right: rotated by 180°.
  case down
  /// Bottom, left: mirrored vertically.
  case downMirrored
  /// Left, top: rows and columns swapped.
  case leftMirrored
  /// Right, top: rotated clockwise by 90° for display.
  case right
  /// Right, bottom: rows and columns swapped, and rotated by 180°.
  case rightMirrored
  /// Left, bottom: rotated counterclockwise by 90° for display.
  case left

  /// Whether the stored rows are the columns of the upright image.
  public var swapsAxes: Bool { rawValue >= Self.leftMirrored.rawValue }

  /// Whether the columns of the upright image are in the reverse of the stored order.
  public var mirrorsColumns: Bool {
    switch self {
    case .upMirrored, .down, .right, .rightMirrored: true
    case .up, .downMirrored, .leftMirrored, .left: false
    }
  }

  /// Whether the rows of the upright image are in the reverse of the stored order.
  public var mirrorsRows: Bool {
    switch self {
    case .down, .downMirrored, .rightMirrored, .left: true
    case .up, .upMirrored, .leftMirrored, .right: false
    }
  }
}
