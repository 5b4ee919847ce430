import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct DecodeOptionsTests {
  private static func grid(_ fixture: String, over background: SRGBColor) throws -> PixelGrid {
    let options = ImageDecoder.Options.with { $0.background = background }
    return try ImageDecoder(options: options).decode(fixture: fixture).grid
  }

  private static let transparent = try? Golden.rows().filter { !$0.isOpaque }

  private static let withoutEndMarker = ["jpeg-missing-eoi.jpg", "gif-without-trailer.gif"]

  private static let opaque = try? Golden.rows().filter { golden in
    golden.path.hasSuffix(".png") && golden.width * golden.height < 50_000
      && golden.isOpaque
  }

  @Test(arguments: try #require(transparent))
  func `transparent pixels blend with the background`(
    golden: Golden
  ) throws {
    let gray = SRGBColor(red: 160, green: 160, blue: 160)
    let overBlack = try Self.grid(golden.path, over: .black)
    let overGray = try Self.grid(golden.path, over: gray)
    let overWhite = try Self.grid(golden.path, over: .white)
    #expect(overWhite.average.x - overBlack.average.x > 0.01)
    for cell in overGray.cells.indices {
      let (black, white) = (overBlack.light[cell].xyz, overWhite.light[cell].xyz)
      #expect(all(overGray.light[cell].xyz .>= black - 1e-6))
      #expect(all(overGray.light[cell].xyz .<= white + 1e-6))
    }
  }

  @Test(arguments: try #require(opaque))
  func `the background does not affect an opaque image`(golden: Golden) throws {
    #expect(
      try Self.grid(golden.path, over: .black)
        == Self.grid(golden.path, over: SRGBColor(red: 255, green: 0, blue: 128)))
  }

  @Test(arguments: [
    ("png-hidden-color-gray-alpha-a.png", "png-hidden-color-gray-alpha-b.png"),
    ("png-hidden-color-rgba-a.png", "png-hidden-color-rgba-b.png"),
    ("png-hidden-color-rgba-16-bit-a.png", "png-hidden-color-rgba-16-bit-b.png"),
    ("png-hidden-color-rgb-trns-a.png", "png-hidden-color-rgb-trns-b.png"),
    ("png-hidden-color-palette-trns-a.png", "png-hidden-color-palette-trns-b.png"),
    ("webp-lossless-hidden-color-a.webp", "webp-lossless-hidden-color-b.webp"),
    ("gif-clear-color.gif", "gif-clear-color-hidden.gif"),
  ])
  func `the color of transparent pixels is ignored`(fixture: String, twin: String) throws {
    for background in [SRGBColor.white, .black, SRGBColor(red: 200, green: 30, blue: 90)] {
      #expect(try Self.grid(fixture, over: background) == Self.grid(twin, over: background))
    }
  }

  @Test func `a fully transparent image has the background color`() throws {
    let background = SRGBColor(red: 51, green: 102, blue: 153)
    let options = ImageDecoder.Options.with { $0.background = background }
    let placeholders = try PlaceholderEncoder(decoding: options)
      .encode(fixture: "png-rgba-fully-transparent.png")
    #expect(placeholders.averageColor == background)
    #expect(placeholders.blurHash?.averageColor == background)
  }

  @Test(arguments: ["jpg", "png"], 2...8)
  func `an image has nearly the same placeholders in every stored orientation`(
    suffix: String, orientation: Int
  ) throws {
    let first = try PlaceholderEncoder().encode(fixture: "orientation-1.\(suffix)")
    let turned = try PlaceholderEncoder().encode(fixture: "orientation-\(orientation).\(suffix)")
    #expect(turned.orientation.rawValue == orientation)
    if suffix == "png" || orientation < 5 {
      #expect(turned.picture == first.picture)
    } else {
      // libjpeg rounds between the passes over columns and rows, so a transposed file has slightly different pixels.
      let transposed = try PlaceholderEncoder().encode(fixture: "orientation-5.jpg")
      #expect(turned.picture == transposed.picture)
      let hash = try #require(first.blurHash)
      #expect(try #require(turned.blurHash).differences(from: hash).allSatisfy { $0 <= 1 })
      #expect((turned.width, turned.height) == (first.width, first.height))
      #expect(turned.lqip == first.lqip)
    }
  }

  @Test(arguments: ["jpg", "png"], 1...8)
  func `an image keeps its stored size if its orientation is not applied`(
    suffix: String, orientation: Int
  ) throws {
    let options = ImageDecoder.Options.with { $0.appliesOrientation = false }
    let placeholders = try PlaceholderEncoder(decoding: options)
      .encode(fixture: "orientation-\(orientation).\(suffix)")
    let upright = try PlaceholderEncoder().encode(fixture: "orientation-1.\(suffix)")
    let size = (placeholders.width, placeholders.height)
    #expect(placeholders.orientation.rawValue == orientation)
    #expect(
      size
        == (orientation < 5 ? (upright.width, upright.height) : (upright.height, upright.width)))
    #expect(placeholders.blurHash?.components.x == (orientation < 5 ? 4 : 3))
  }

  @Test(arguments: try Golden.rows().filter { !withoutEndMarker.contains($0.path) })
  func `verification does not change the result for an intact file`(golden: Golden) throws {
    let verified = try PlaceholderEncoder(decoding: .verifying).encode(fixture: golden.path)
    let plain = try PlaceholderEncoder().encode(fixture: golden.path)
    #expect(verified.isComplete == true)
    // Only a verifying decode reads the later frames of a PNG file.
    #expect(plain.isComplete == nil ? verified.picture == plain.picture : verified == plain)
  }

  @Test func `lenient decoding does not change the result for an intact file`() throws {
    for golden in try Golden.rows() where golden.width * golden.height < 50_000 {
      #expect(
        try PlaceholderEncoder(decoding: .lenient).encode(fixture: golden.path)
          == PlaceholderEncoder().encode(fixture: golden.path), "\(golden.path)")
    }
  }

  @Test(arguments: [
    ("broken/jpeg-cut-progressive-after-dc.jpg", ImageFormat.jpeg),
    ("broken/png-without-end.png", .png), ("jpeg-missing-eoi.jpg", .jpeg),
  ])
  func `verification finds damage in data that a preview does not need, as a warning if lenient`(
    fixture: String, format: ImageFormat
  ) throws {
    let plain = try PlaceholderEncoder().encode(fixture: fixture)
    var encoder = PlaceholderEncoder(decoding: .verifying)
    guard case .failure(.truncated(format, _)) = try encoder.result(fixture: fixture) else {
      Issue.record("not truncated")
      return
    }
    encoder.options.decoding.isLenient = true
    let placeholders = try encoder.encode(fixture: fixture)
    #expect(placeholders.warnings.contains { $0.hasPrefix("truncated") })
    #expect(placeholders.picture == plain.picture)
  }
}
