import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct JPEGWriterTests {
  /// The samples that libjpeg reads from a file.
  private static func decoded(_ bitmap: Bitmap) throws -> Bitmap {
    let file = JPEGWriter.bytes(of: bitmap)
    let image = try ImageDecoder(options: .verifying).decode(file.span)
    #expect(image.warnings == [])
    #expect(image.grid.sourceWidth == bitmap.width && image.grid.sourceHeight == bitmap.height)
    return image.grid.bitmap(width: bitmap.width, height: bitmap.height)
  }

  @Test(arguments: 1...32)
  func `a file of any size is read as that size`(side: Int) throws {
    for other in [1, 7, 8, 9, 16, 17, 31, 32] {
      _ = try Self.decoded(.noise(width: side, height: other))
    }
  }

  @Test(arguments: [(8, 8), (16, 16), (24, 18), (13, 30), (32, 32)])
  func `gray is what the definition of the format gives`(size: (Int, Int)) throws {
    let noise = Bitmap.noise(width: size.0, height: size.1)
    let gray = Bitmap(width: size.0, height: size.1) { y in
      { x in
        let sample = noise.samples[(y * size.0 + x) * 3]
        // Smooth and rough parts.
        return SIMD3(repeating: UInt8(x * 5 + y * 2) / 2 + sample / (x < 12 ? 8 : 2))
      }
    }
    let decoded = try Self.decoded(gray)
    for top in stride(from: 0, to: size.1, by: 8) {
      for left in stride(from: 0, to: size.0, by: 8) {
        let block = ReferenceBlock { x, y in
          let (x, y) = (min(left + x, size.0 - 1), min(top + y, size.1 - 1))
          return Double(gray.samples[(y * size.0 + x) * 3])
        }
        guard !block.isTied else { continue }
        for y in top..<min(top + 8, size.1) {
          for x in left..<min(left + 8, size.0) {
            let sample = Double(decoded.samples[(y * size.0 + x) * 3])
            #expect(abs(sample - block.decoded(x: x - left, y: y - top)) <= 1.5)
          }
        }
      }
    }
  }

  @Test(arguments: [[255, 0, 0], [0, 255, 0], [0, 0, 255], [250, 120, 30], [20, 90, 200]])
  func `colors are kept`(color: [Int]) throws {
    let bitmap = Bitmap(width: 20, height: 11) { _ in
      { _ in SIMD3(UInt8(color[0]), UInt8(color[1]), UInt8(color[2])) }
    }
    let decoded = try Self.decoded(bitmap)
    for (one, other) in zip(bitmap.samples, decoded.samples) {
      #expect(abs(Int(one) - Int(other)) <= 4)
    }
  }

  @Test func `an image with long sides is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      _ = JPEGWriter.bytes(of: .noise(width: JPEGWriter.maximumSide + 1, height: 1))
    }
  }
}

/// A block of one component as ITU-T T.81 defines it, A.3.3 and A.3.4, in double precision.
private struct ReferenceBlock {
  private let terms: [Double]

  /// Whether a term lies between two steps, of which either may be taken.
  let isTied: Bool

  init(sample: (_ x: Int, _ y: Int) -> Double) {
    let quotients = (0..<64).map { index in
      let (u, v) = (index % 8, index / 8)
      var sum = 0.0
      for y in 0..<8 {
        for x in 0..<8 { sum += (sample(x, y) - 128) * Self.wave(u, x) * Self.wave(v, y) }
      }
      return sum / Self.steps[index]
    }
    isTied = quotients.contains { abs(abs($0 - $0.rounded()) - 0.5) < 1e-4 }
    terms = zip(quotients, Self.steps).map { $0.rounded() * $1 }
  }

  func decoded(x: Int, y: Int) -> Double {
    let sum = (0..<64).reduce(128) {
      $0 + terms[$1] * Self.wave($1 % 8, x) * Self.wave($1 / 8, y)
    }
    return max(0, min(255, sum))
  }

  private static func wave(_ frequency: Int, _ place: Int) -> Double {
    (frequency == 0 ? 0.125.squareRoot() : 0.5)
      * cos(Double((2 * place + 1) * frequency) * .pi / 16)
  }

  /// Table K.1 as it is printed.
  private static let steps: [Double] = [
    16, 11, 10, 16, 24, 40, 51, 61,
    12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77,
    24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99,
  ]
}
