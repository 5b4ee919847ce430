import Foundation
import PlaceholderEncoding
import PlaceholderFoundation
import PlaceholdersTestSupport
import Testing

@Suite struct PlaceholderCodingTests {
  private static let allKinds = PlaceholderEncoder {
    $0.kinds = PlaceholderKind.allCases
    $0.lqip.method = .six
  }

  /// The members of a record that follow from others, and are not decoded.
  private struct DerivedMembers: Decodable {
    let components: [Int]
    let svg: String
  }

  @Test(arguments: ["size-640x480.png", "png-rgba-8-bit.png", "gif-animated-two-frames.gif"])
  func `placeholders survive a JSON round trip`(name: String) throws {
    let placeholders = try Self.allKinds.encode(fixture: name)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Shares are rounded to thousandths.
    let text = try encoder.encode(placeholders)
    let decoded = try JSONDecoder().decode(ImagePlaceholders.self, from: text)
    #expect(try encoder.encode(decoded) == text)
    let derived = try JSONDecoder().decode(DerivedMembers.self, from: text)
    let components = try #require(placeholders.blurHash?.components)
    #expect(derived.components == [components.x, components.y])
    #expect(derived.svg == placeholders.preview?.svgDataURL)
    let plain = try PlaceholderEncoder().encode(fixture: name)
    #expect(
      try JSONDecoder().decode(ImagePlaceholders.self, from: JSONEncoder().encode(plain)) == plain)
  }

  @Test(arguments: [
    ##""mimetype":"image/png""##: ##""mimetype":"image/x""##,
    ##""orientation":1"##: ##""orientation":9"##,
    ##""average_color":"#000000""##: ##""average_color":"black""##, ##""width":"##: ##""w":"##,
  ])
  func `decoding a record with an invalid member throws`(valid: String, invalid: String) throws {
    let placeholders = try PlaceholderEncoder().encode(fixture: "black.png")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let text = String(decoding: try encoder.encode(placeholders), as: UTF8.self)
    #expect(text.contains(valid))
    let changed = Data(text.replacing(valid, with: invalid).utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ImagePlaceholders.self, from: changed)
    }
  }

  @Test func `Data, URL and FileHandle produce the same placeholders as bytes`() async throws {
    let name = "size-640x480.png"
    let (encoder, url) = (PlaceholderEncoder(), Fixtures.directory.appendingPathComponent(name))
    let expected = try encoder.encode(fixture: name)
    let data = try Data(contentsOf: url)
    #expect(try encoder.encode(try FileHandle(forReadingFrom: url)) == expected)
    #expect(try await encoder.encode(data) == expected)
    #expect(try await encoder.encode(contentsOf: url) == expected)
    let missing = url.appendingPathExtension("missing")
    await #expect(throws: CocoaError.self) { try await encoder.encode(contentsOf: missing) }
  }

  @Test func `encoding stops when the task is canceled`() async throws {
    let data = Data(try Fixtures.bytes("size-640x480.png"))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await PlaceholderEncoder().encode(data)
    }
    task.cancel()
    await #expect(throws: ImageDecodingError.cancelled) { try await task.value }
  }
}
