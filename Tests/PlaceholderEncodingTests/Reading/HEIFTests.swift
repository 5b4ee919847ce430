import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

/// Tests of AVIF and HEIC beyond the golden values.
@Suite struct HEIFTests {
  private static func decode(
    _ name: String, _ change: (inout ImageDecoder) -> Void = { _ in }
  ) throws -> DecodedImage {
    var decoder = ImageDecoder()
    change(&decoder)
    return try decoder.decode(try Fixtures.bytes(name))
  }

  /// The mean light of a picture.
  private static func light(_ image: DecodedImage) -> Float {
    image.grid.cells.reduce(0) { $0 + $1.sum() } / Float(image.grid.cells.count)
  }

  @Test
  func `a faithful thumbnail stands in for the picture, except in exact and verified decodes`()
    throws
  {
    let name = "broken/heic-thumbnail-other.heic"
    let image = try Self.decode(name)
    let exact = try Self.decode(name) { $0.options.isExact = true }
    let verified = try Self.decode(name) { $0.options.verifiesWholeFile = true }
    #expect(Self.light(image) < Self.light(exact) * 0.8)
    #expect(abs(Self.light(verified) / Self.light(exact) - 1) < 0.02)
    #expect(image.grid.sourceWidth == 520 && image.grid.sourceHeight == 390)
    #expect(image.grid.columns.count == 128 && image.warnings.isEmpty)
  }

  @Test func `a damaged thumbnail is replaced by the picture, with a warning`() throws {
    let image = try Self.decode("broken/heic-thumbnail-damaged.heic")
    let picture = try Self.decode("broken/heic-thumbnail-other.heic") {
      $0.options.verifiesWholeFile = true
    }
    #expect(image.grid == picture.grid)
    #expect(image.warnings.count == 1 && image.warnings[0].hasPrefix("thumbnail ignored: damaged"))
  }

  @Test func `a lenient decode leaves out a damaged tile, with a warning`() throws {
    let image = try Self.decode("broken/heic-tile-damaged.heic") { $0.options.isLenient = true }
    let whole = try Self.decode("heic-grid.heic")
    #expect(image.warnings.count == 1)
    #expect(image.grid.sourceWidth == whole.grid.sourceWidth)
    #expect(abs(Self.light(image) / Self.light(whole) - 1) < 0.3)
  }

  @Test func `the kind of pictures decides the format of a general brand`() throws {
    #expect(try Self.decode("heif-general-brand.heif").format == .heif)
    #expect(try Self.decode("heic-420.heic").format == .heic)
    var bytes = try Fixtures.bytes("avif-420.avif")
    bytes.replaceSubrange(8..<12, with: Array("mif1".utf8))
    #expect(try ImageDecoder().decode(bytes).format == .avif)
  }

  /// The boxes of `avif-inline.avif` are those of the file, and the list of items, which has the data.
  private static func inline(
    _ change: (_ head: inout [UInt8], _ list: inout [UInt8]) -> Void
  ) throws -> [UInt8] {
    let bytes = try Fixtures.bytes("avif-inline.avif")
    let start = try #require(bytes.firstRange(of: Array("meta".utf8))).lowerBound - 4
    var (head, list) = (Array(bytes[..<start]), Array(bytes[start...]))
    change(&head, &list)
    return head + list
  }

  private static func box(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
    [0, 0, 0, UInt8(8 + content.count)] + Array(type.utf8) + content
  }

  /// Adds boxes to the end of the list of items.
  private static func inline(adding boxes: [UInt8]) throws -> [UInt8] {
    try inline { _, list in
      list += boxes
      list.replaceSubrange(2..<4, with: [UInt8(list.count >> 8), UInt8(list.count & 255)])
    }
  }

  @Test func `a list of items without a size extends to the end of the file`() throws {
    let bytes = try Self.inline { _, list in list.replaceSubrange(0..<4, with: [0, 0, 0, 0]) }
    #expect(try ImageDecoder().decode(bytes) == Self.decode("avif-inline.avif"))
    #expect(throws: ImageDecodingError.self) {
      try ImageDecoder().decode(bytes + Array(repeating: 0, count: 1 << 20))
    }
  }

  @Test func `boxes that are not read may occur twice among those of the items`() throws {
    let unread = ["uuid", "skip", "free"].flatMap { Self.box($0, [1, 2]) + Self.box($0) }
    let bytes = try Self.inline(adding: unread)
    #expect(try ImageDecoder().decode(bytes) == Self.decode("avif-inline.avif"))
    let twice = try Self.inline(adding: Self.box("pitm", [0, 0, 0, 0, 0, 2]))
    #expect(throws: ImageDecodingError.corrupt(format: .avif, reason: "two boxes 'pitm'")) {
      try ImageDecoder().decode(twice)
    }
  }

  @Test func `the error for a picture of an unknown type names the type`() throws {
    let bytes = try Self.inline { _, list in
      for (type, other) in [("av01", "unci"), ("av1C", "cmpd")] {
        list.replace(Array(type.utf8), with: Array(other.utf8))
      }
    }
    #expect(
      throws: ImageDecodingError.unsupported(
        format: .avif, reason: "pictures of the type 'unci'")
    ) { try ImageDecoder().decode(bytes) }
    let mini = Self.box("ftyp", Array("mif3avif".utf8)) + Self.box("mini", [1, 2, 3])
    #expect(
      throws: ImageDecodingError.unsupported(format: .heif, reason: "images in a 'mini' box")
    ) { try ImageDecoder().decode(mini) }
  }

  @Test func `a sequence without a primary item is cut off or not supported`() throws {
    var bytes = try Fixtures.bytes("avif-sequence.avif")
    bytes.replace(Array("meta".utf8), with: Array("free".utf8), maxReplacements: 1)
    let unsupported = ImageDecodingError.unsupported(
      format: .avif, reason: "a sequence without a primary item")
    #expect(throws: unsupported) { try ImageDecoder().decode(bytes) }
    let end = try #require(bytes.firstRange(of: Array("stsz".utf8))).lowerBound
    #expect(throws: ImageDecodingError.truncated(format: .avif, reason: "no list of items")) {
      try ImageDecoder().decode(Array(bytes[..<end]))
    }
  }

  @Test(arguments: ["avif-clap-outside.avif", "heic-clap-half.heic"])
  func `a crop that cannot be applied is ignored with a warning`(name: String) throws {
    let image = try Self.decode(name)
    #expect(image.grid.sourceWidth == 100 && image.grid.sourceHeight == 76)
    #expect(image.warnings == ["crop ignored: not of whole pixels within the picture"])
    #expect(try Self.decode(name.replacing(/clap-[a-z]*/, with: "clap")).warnings.isEmpty)
  }

  @Test func `a lenient decode shows a picture whose alpha is cut off, with a warning`() throws {
    let bytes = Array(try Fixtures.bytes("heic-alpha.heic").dropLast(20))
    #expect(
      throws: ImageDecodingError.truncated(format: .heic, reason: "unexpected end of file")
    ) { try ImageDecoder().decode(bytes) }
    var decoder = ImageDecoder()
    decoder.options.isLenient = true
    let image = try decoder.decode(bytes)
    let opaque = try ImageDecoder().decode(
      bytes.replacing(Array("auxl".utf8), with: Array("none".utf8)))
    #expect(image.grid == opaque.grid)
    #expect(image.warnings == ["truncated: unexpected end of file"])
    #expect(image.isComplete == false)
  }

  @Test func `combined pixels of a large picture have the light of its pixels`() throws {
    let scaled = try Self.decode("avif-striped-2100x2001.avif").grid
    let exact = try Self.decode("avif-striped-2100x2001.avif") { $0.options.isExact = true }.grid
    #expect(scaled.sourceHeight == 2001 && exact.columns != scaled.columns)
    let parts = try zip(
      scaled.areaMeans(width: 32, height: 32), exact.areaMeans(width: 32, height: 32))
    let distances = parts.map { Oklab(linear: $0).distance(to: Oklab(linear: $1)) }
    #expect(distances.allSatisfy { $0 < 0.01 })
  }

  @Test func `frames of a sequence are counted`() throws {
    #expect(try Self.decode("avif-sequence.avif").frameCount == 2)
  }

  @Test(arguments: ["avif-grid.avif", "heic-alpha.heic"])
  func `a pipe is decoded like a file`(name: String) throws {
    let pipe = Pipe()
    let data = Data(try Fixtures.bytes(name))
    let writer = Thread {
      try? pipe.fileHandleForWriting.write(contentsOf: data)
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    let image = try ImageDecoder().decode(
      fileDescriptor: pipe.fileHandleForReading.fileDescriptor)
    #expect(image == (try Self.decode(name)))
  }

  @Test func `memory is limited before the codec allocates`() throws {
    #expect(throws: ImageDecodingError.tooLarge(reason: "decoding needs too much memory")) {
      try Self.decode("avif-420.avif") { $0.limits.maximumDecodeMemory = 10_000 }
    }
    #expect(throws: ImageDecodingError.tooLarge(reason: "decoding needs too much memory")) {
      try Self.decode("heic-420.heic") { $0.limits.maximumDecodeMemory = 10_000 }
    }
  }

  @Test(arguments: [
    "avif-alpha.avif", "avif-grid-clap.avif", "avif-sequence.avif", "heic-grid.heic",
    "heic-alpha.heic", "heic-icc.heic", "avif-grid-alpha-tiles.avif",
    "avif-grid-shared-data.avif", "avif-pq-400.avif", "heic-clap-half.heic",
  ])
  func `a change of any byte before the pictures is an error or an image`(name: String) throws {
    let bytes = try Fixtures.bytes(name)
    let end = try #require(bytes.firstRange(of: Array("mdat".utf8))).lowerBound
    var random = LCG(seed: 54)
    for index in 0..<end {
      var changed = bytes
      changed[index] = UInt8(truncatingIfNeeded: random.next())
      var decoder = ImageDecoder()
      for format in ImageFormat.allCases { decoder.limits.maximumPixelCounts[format] = 1 << 20 }
      guard let image = try? decoder.decode(changed) else { continue }
      #expect(image.grid.sourceWidth * image.grid.sourceHeight <= 1 << 20)
    }
  }

  @Test func `boxes that exceed their parent are damaged`() throws {
    var reader = ByteReader([0, 0, 0, 9] + Array("free".utf8))
    #expect(throws: HEIFFailure.corrupt("the box 'free' exceeds its parent")) {
      _ = try reader.box()
    }
  }

  @Test func `a box without a size extends to the end`() throws {
    var reader = ByteReader([0, 0, 0, 0] + Array("free".utf8) + [1, 2])
    #expect(try reader.box() == Box(type: "free", content: 8..<10))
    #expect(try reader.box() == nil)
  }

  @Test(arguments: [(0, 0x80), (1, 0x40), (2, 0x60), (7, 0x10)] as [(Int, UInt8)])
  func `Exp-Golomb codes count leading zeros`(value: Int, byte: UInt8) throws {
    var reader = BitReader([byte])
    #expect(try reader.exponentialGolomb() == value)
  }
}
