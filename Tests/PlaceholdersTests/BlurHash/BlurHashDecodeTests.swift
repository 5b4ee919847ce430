import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct BlurHashDecodeTests {
  /// A preview rendered by the reference decoder: a row of `reference-decode/hashes.tsv`.
  struct Preview: Sendable, CustomTestStringConvertible {
    let hash: String
    let width: Int
    let height: Int
    let file: String

    var testDescription: String { file }

    static func rows() throws -> [Preview] {
      try Fixtures.table("reference-decode/hashes.tsv").map { row in
        Preview(
          hash: try #require(row["hash"]), width: try #require(row["width"].flatMap { Int($0) }),
          height: try #require(row["height"].flatMap { Int($0) }), file: try #require(row["file"]))
      }
    }
  }

  private static let nineByNine =
    "|UE3VkgGsA;~tNnQVYE}a[fmR{Uyu]jco]WAeu9]CVamB#aiN^*rr]Y0ayaU8,bFbJWdnZr;i^JDVfg4azOa"
    + "jZRlRzjp6lR*nUbsZ+baW?afs*jExUf#fwkVJ$oeR:S#c+@Ys,dvNyfhWow9TC,Zr;B$WwFamqtmSMIcjx"

  /// The color at a pixel, 0...255 per channel, by the formula of woltapp/blurhash, `Algorithm.md`.
  private static func color(
    of hash: BlurHash, atX x: Int, y: Int, width: Int, height: Int, punch: Double = 1
  ) -> [Double] {
    let maximum = Double(hash.digits[0] + 1) / 166
    return (0..<3).map { channel in
      var light = 0.0
      for j in 0..<hash.components.y {
        for i in 0..<hash.components.x {
          let term = j * hash.components.x + i
          let digit = hash.digits[1 + term * 3 + channel]
          let root = Double(digit - 9) / 9
          let value =
            term == 0
            ? IEC61966.linear(ofEncoded: Double(digit) / 255)
            : copysign(root * root, root) * maximum * punch
          light +=
            value * cos(Double.pi * Double(i * x) / Double(width))
            * cos(Double.pi * Double(j * y) / Double(height))
        }
      }
      return IEC61966.encoded(ofLinear: max(0, min(1, light))) * 255
    }
  }

  private static func expect(
    _ bitmap: RGBABitmap, of hash: BlurHash, punch: Double = 1, within tolerance: Double = 1
  ) {
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width {
        let color = color(
          of: hash, atX: x, y: y, width: bitmap.width, height: bitmap.height, punch: punch)
        for channel in 0..<3 {
          let sample = Double(bitmap.pixels[(y * bitmap.width + x) * 4 + channel])
          #expect(abs(sample - color[channel]) < tolerance, "(\(x), \(y))")
        }
      }
    }
  }

  @Test(arguments: try Preview.rows())
  func `a preview matches the reference decoder`(preview: Preview) throws {
    let bitmap = try BlurHash(parsing: preview.hash).bitmap(
      width: preview.width, height: preview.height)
    let expected = try PlainPNG.bitmap("reference-decode/\(preview.file)")
    #expect(bitmap.maximumDifference(from: expected) <= 1)
  }

  @Test(arguments: [0.25, 1, 1.5, 3] as [Float])
  func `punch multiplies all AC terms`(punch: Float) throws {
    let hash = try BlurHash(parsing: "LEHV6nWB2yk8pyo0adR*.7kCMdnj")
    Self.expect(
      try hash.bitmap(width: 20, height: 14, punch: punch), of: hash, punch: Double(punch))
  }

  @Test(
    arguments: [(1, 1), (2, 3), (3, 2), (5, 7), (33, 20)],
    ["LEHV6nWB2yk8pyo0adR*.7kCMdnj", "00TSUA", nineByNine])
  func `separable summation equals the double sum of the formula`(
    size: (Int, Int), text: String
  ) throws {
    let hash = try BlurHash(parsing: text)
    try Self.expect(hash.bitmap(width: size.0, height: size.1), of: hash, within: 0.51)
  }

  /// The other process gets the argument as JSON, which has no infinity and no NaN.
  @Test(arguments: ["0", "inf", "nan"])
  func `a punch that is not positive and finite traps`(text: String) async {
    await #expect(processExitsWith: .failure) { [text] in
      guard let punch = Float(text) else { return }
      _ = try BlurHash(parsing: "00TSUA").bitmap(width: 1, height: 1, punch: punch)
    }
  }

  /// The sum of infinite terms of both signs is NaN.
  @Test(arguments: [1e38, Float.greatestFiniteMagnitude, Float.leastNonzeroMagnitude])
  func `an extreme punch does not produce invalid samples`(punch: Float) throws {
    let digits = String(repeating: "~q", count: 40) + String(repeating: "00", count: 40)
    let hash = try BlurHash(parsing: "|~TSUA" + digits)
    #expect(hash.components == BlurHash.ComponentCount(x: 9, y: 9))
    let bitmap = try hash.bitmap(width: 33, height: 20, punch: punch)
    #expect(bitmap.pixels.count == 33 * 20 * 4)
    if punch > 1 { #expect(bitmap.rgb.allSatisfy { $0 == 0 || $0 == 255 }) }
  }
}
