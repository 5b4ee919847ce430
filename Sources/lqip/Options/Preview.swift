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
  /// Whether an open file is a preview, by all that it has before its pixels but their number.
  package static func isOutput(_ descriptor: Int32, like png: [UInt8]) -> Bool {
    let mark = Array("IDAT".utf8)
    let end = png.indices.first { png[$0...].starts(with: mark) } ?? 0
    guard let beginning = try? FileDescriptor.read(descriptor, at: 0, upTo: end + mark.count),
      beginning.count == end + mark.count
    else { return false }
    // The sides, the checksum that covers them, and the length of the compressed pixels differ.
    let own = [0..<16, 24..<29, 33..<(end - 4), end..<(end + mark.count)]
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
