/// Why a bitmap is not written as a PNG file.
public enum PNGWritingError: Error, Hashable, Sendable {
  /// A side is longer than ``PNGWriter/maximumSide``.
  case tooLarge(width: Int, height: Int)
  /// The system does not give the memory that the file takes.
  case outOfMemory
}

extension PNGWritingError: CustomStringConvertible {
  /// The reason for people.
  public var description: String {
    switch self {
    case .tooLarge(let width, let height):
      "a PNG image of \(width)x\(height) pixels exceeds the limit of "
        + "\(PNGWriter.maximumSide) pixels per side"
    case .outOfMemory: "not enough memory for the PNG image"
    }
  }
}
