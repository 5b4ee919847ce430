/// How the stored rows and columns lie in the upright image, as Exif numbers it.
///
/// Source: Exif 2.32, tag 0x0112: the value says where the stored row 0 and column 0 are seen.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
  /// The first row is at the top, the first column on the left.
  case up = 1
  /// Top, right.
  case upMirrored
  /// Bottom, right: turned by 180°.
  case down
  /// Bottom, left.
  case downMirrored
  /// Left, top.
  case leftMirrored
  /// Right, top: to be turned clockwise.
  case right
  /// Right, bottom.
  case rightMirrored
  /// Left, bottom: to be turned counterclockwise.
  case left

  /// Whether the stored rows are the columns that are seen.
  public var swapsAxes: Bool { rawValue >= Self.leftMirrored.rawValue }

  /// Whether, in the upright image, stored positions count from the right.
  public var mirrorsColumns: Bool {
    switch self {
    case .upMirrored, .down, .right, .rightMirrored: true
    case .up, .downMirrored, .leftMirrored, .left: false
    }
  }

  /// Whether, in the upright image, stored positions count from the bottom.
  public var mirrorsRows: Bool {
    switch self {
    case .down, .downMirrored, .rightMirrored, .left: true
    case .up, .upMirrored, .leftMirrored, .right: false
    }
  }
}
