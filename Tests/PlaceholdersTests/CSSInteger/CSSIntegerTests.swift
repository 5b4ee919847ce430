import Foundation
import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct CSSIntegerTests {
  @Test(arguments: ["192900", "-524288", "524287", "0", "-1"])
  func `a CSS integer survives a round trip through text`(text: String) throws {
    #expect(try #require(CSSInteger(text)).description == text)
  }

  @Test(arguments: ["", "524288", "-524289", "+1", "01", "-0", "1.0", "1e3", "#192900", " 1"])
  func `text that is not a CSS integer in range is rejected`(text: String) {
    #expect(CSSInteger(text) == nil)
    #expect(throws: CSSInteger.ParsingError.notInRange) { try CSSInteger(parsing: text) }
  }

  @Test func `packing the unpacked fields restores the integer`() throws {
    for value in stride(from: CSSInteger.range.lowerBound, through: 524_287, by: 997) {
      let lqip = try #require(CSSInteger(value))
      #expect(CSSInteger(fields: lqip.fields) == lqip)
    }
    // The first example in the original article.
    let example = try #require(CSSInteger(192_900))
    #expect(example.fields == [2, 2, 3, 3, 0, 1, 2, 0, 4])
  }

  @Test(arguments: ["size-640x480.png", "two-colors.png", "white.png", "jpeg-baseline-420.jpg"])
  func `the distance of a fitted integer is within 10 percent of the smallest of all`(
    name: String
  ) throws {
    let grid = try ImageDecoder().decode(fixture: name).grid
    let objective = CSSIntegerObjective(grid)
    let distances = CSSInteger.range.compactMap { CSSInteger($0) }.map {
      objective.preview($0.fields).distance
    }
    let distance = objective.preview(CSSInteger(encoding: grid).fields).distance
    #expect(distance <= 1.1 * (distances.min() ?? 0))
  }

  /// The sum of squared OKLab distances at 6×4 points.
  fileprivate static func distance(_ lqip: CSSInteger, _ grid: PixelGrid) throws -> Float {
    let drawn = try PixelGrid(lqip.bitmap(width: 6, height: 4))
    let points = try zip(drawn.cells, grid.areaMeans(width: 6, height: 4))
    return points.reduce(0) { sum, pair in
      let distance = Oklab(linear: pair.0).distance(to: Oklab(linear: pair.1))
      return sum + distance * distance
    }
  }

  @Test(arguments: [0, 60, 128, 255] as [UInt8])
  func `the integer of a gray image renders in gray`(sample: UInt8) throws {
    let gray = SRGBColor(red: sample, green: sample, blue: sample)
    let grid = PixelGrid(width: 30, height: 20) { _, _ in gray.linear }
    let drawn = try CSSInteger(encoding: grid).bitmap(width: 3, height: 2).rgb
    for pixel in stride(from: 0, to: drawn.count, by: 3) {
      #expect(abs(Int(drawn[pixel]) - Int(drawn[pixel + 1])) <= 1)
      #expect(abs(Int(drawn[pixel]) - Int(drawn[pixel + 2])) <= 1)
    }
  }
}

@Suite struct CSSIntegerCodableTests {
  @Test(arguments: [-524_288, -1, 0, 524_287])
  func `a CSS integer survives a JSON round trip as a number`(value: Int) throws {
    let integer = try #require(CSSInteger(value))
    let json = try JSONEncoder().encode([integer])
    #expect(String(decoding: json, as: UTF8.self) == "[\(value)]")
    #expect(try JSONDecoder().decode([CSSInteger].self, from: json) == [integer])
  }

  @Test(arguments: ["[524288]", "[-524289]", "[0.5]", "[null]", "[\"1\"]"])
  func `decoding JSON that is not a CSS integer throws`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([CSSInteger].self, from: Data(json.utf8))
    }
  }
}

@Suite struct CSSIntegerObjectiveTests {
  @Test(
    arguments: ["size-640x480.png", "two-colors.png", "jpeg-baseline-420.jpg"],
    [[2, 0, 4], [3, 0, 3]])
  func `the objective equals the distance of the rendering from the image`(
    name: String, base: [Int]
  ) throws {
    let grid = try ImageDecoder().decode(fixture: name).grid
    let objective = CSSIntegerObjective(grid)
    let start = objective.preview([1, 2, 3, 0, 2, 1] + base)
    let fitted = objective.descended(from: start)
    #expect(fitted.distance <= start.distance)
    let expected = try CSSIntegerTests.distance(CSSInteger(fields: fitted.fields), grid)
    #expect(abs(fitted.distance - expected) < 0.03 * expected)
  }
}

@Suite struct CSSIntegerRenderTests {
  /// Source: W3C, "Compositing and Blending Level 1", sections 9.1.2, 9.1.3 and 9.1.8.
  private static func hardLight(_ source: Double, over backdrop: Double) -> Double {
    let doubled = 2 * source
    return source <= 0.5
      ? backdrop * doubled : backdrop + (doubled - 1) - backdrop * (doubled - 1)
  }

  @Test(arguments: [(1, 1), (2, 3), (7, 5), (64, 48)], [192_900, -524_288, 524_287, -3])
  func `cells are blended with hard light, with the first cell on top`(
    size: (Int, Int), value: Int
  ) throws {
    let lqip = try #require(CSSInteger(value))
    let fields = lqip.fields
    let base = CSSInteger.encodedBaseColor(fields)
    let bitmap = try lqip.bitmap(width: size.0, height: size.1)
    for pixel in 0..<size.0 * size.1 {
      let x = (Float(pixel % size.0) + 0.5) / Float(size.0)
      let y = (Float(pixel / size.0) + 0.5) / Float(size.1)
      for channel in 0..<3 {
        var sample = Double(base[channel])
        for cell in (0..<6).reversed() {
          let opacity = Double(CSSInteger.gradients[cell].opacity(x: x, y: y))
          let gray = Double(fields[cell]) / 3 * 0.6 + 0.2
          sample += (Self.hardLight(gray, over: sample) - sample) * opacity
        }
        #expect(abs(Double(bitmap.pixels[pixel * 4 + channel]) - sample * 255) < 0.501)
      }
    }
  }
}
