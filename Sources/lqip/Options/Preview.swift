internal import LqipFiles
package import PlaceholderEncoding

/// A placeholder and how it is drawn, in which nothing is left to go wrong.
package enum Preview: Sendable {
  case blurHash(BlurHash, width: Int, height: Int, punch: Float)
  case lqip(PackedLQIP, second: PackedLQIP?, width: Int, height: Int)
  case thumbHash(ThumbHash, width: Int, height: Int)
  case css(IntegerLQIP, width: Int, height: Int)

  /// The preview as pixels.
  package var bitmap: Bitmap {
    switch self {
    case .blurHash(let hash, let width, let height, let punch):
      hash.bitmap(width: width, height: height, punch: punch)
    case .lqip(let lqip, let second, let width, let height):
      lqip.bitmap(width: width, height: height, second: second)
    case .thumbHash(let hash, let width, let height): hash.bitmap(width: width, height: height)
    case .css(let lqip, let width, let height): lqip.bitmap(width: width, height: height)
    }
  }
}

extension Preview {
  /// Whether a file begins as a preview does, up to its pixels, whatever its size.
  package static func isOutput(_ beginning: [UInt8], like png: [UInt8]) -> Bool {
    guard let mark = png.firstRange(of: Array("IDAT".utf8)), beginning.count >= mark.upperBound
    else { return false }
    // The sides, the checksum that covers them, and the length of the compressed pixels differ.
    let own = [0..<16, 24..<29, 33..<(mark.lowerBound - 4), mark]
    return own.allSatisfy { beginning[$0] == png[$0] }
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
    case .thumbHash(let hash, let width, let height): "thumbhash \(hash) \(width)x\(height)"
    case .css(let lqip, let width, let height): "css \(lqip) \(width)x\(height)"
    }
  }
}
