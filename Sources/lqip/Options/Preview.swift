package import PlaceholderEncoding

/// A placeholder and how it is drawn, in which nothing is left to go wrong.
package enum Preview: Sendable {
  case blurHash(BlurHash, width: Int, height: Int, punch: Float)
  case lqip(PackedLQIP, second: PackedLQIP?, width: Int, height: Int)

  /// The preview as pixels.
  package var bitmap: Bitmap {
    switch self {
    case .blurHash(let hash, let width, let height, let punch):
      hash.bitmap(width: width, height: height, punch: punch)
    case .lqip(let lqip, let second, let width, let height):
      lqip.bitmap(width: width, height: height, second: second)
    }
  }
}

extension Preview: CustomStringConvertible {
  /// What tells the preview from every other.
  package var description: String {
    switch self {
    case .blurHash(let hash, let width, let height, let punch):
      "\(hash.string) \(width)x\(height) \(punch)"
    case .lqip(let lqip, let second, let width, let height):
      "\(lqip) \(width)x\(height) \(second?.string ?? "")"
    }
  }
}
