import PlaceholdersTestSupport
import Testing

@testable import Placeholders

/// The hash of a generated image by an independent implementation: a row of `thumbhash/hashes.tsv`.
struct ThumbHashGolden: Sendable, CustomTestStringConvertible {
  let width: Int
  let height: Int
  /// The parameters of the generated image.
  let numbers: [Int]
  let hash: ThumbHash
  /// The name of the rendered file, if any.
  let file: String?

  var testDescription: String { "\(width)x\(height) \(hash)" }

  static func rows() throws -> [ThumbHashGolden] {
    try Fixtures.table("thumbhash/hashes.tsv").map(ThumbHashGolden.init)
  }

  private init(row: [String: String]) throws {
    width = try #require(row["width"].flatMap { Int($0) })
    height = try #require(row["height"].flatMap { Int($0) })
    let digits = try #require(row["numbers"]).map { Int($0.hexDigitValue ?? 0) }
    numbers = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    hash = try ThumbHash(parsing: try #require(row["hash"]))
    file = row["file"].flatMap { $0.isEmpty ? nil : "thumbhash/\($0)" }
  }

  /// The samples of the generated image: red, green, blue and alpha per pixel.
  var samples: [UInt8] {
    let radius = (1 + numbers[12]) * max(width, height) / 300
    return (0..<height).flatMap { y in
      (0..<width).flatMap { x in
        let (across, down) = (x - numbers[13] * width / 255, y - numbers[14] * height / 255)
        let isInside = across * across + down * down <= radius * radius
        return (0..<4).map { channel -> UInt8 in
          let down = numbers[channel + 4] * y * width / height
          let slope = (numbers[channel] * (width - x) + down) / width
          let sample = isInside ? numbers[channel + 8] : slope
          let isOpaque = channel == 3 && numbers[15].isMultiple(of: 2)
          return isOpaque ? 255 : UInt8(min(255, sample + (x * x * 3 + y * 5) % 17))
        }
      }
    }
  }
}
