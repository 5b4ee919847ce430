import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

/// Tests of what a decode tells of the end of its file.
@Suite struct CompletenessTests {
  private static let progressive = "jpeg-textured-progressive-264x272.jpg"

  private static func decode(
    _ bytes: some Collection<UInt8>, _ change: (inout ImageDecoder.Options) -> Void = { _ in }
  ) throws -> Bool? {
    var decoder = ImageDecoder()
    change(&decoder.options)
    return try decoder.decode(Array(bytes)).isComplete
  }

  @Test(arguments: [
    "size-640x480.png", progressive, "jpeg-progressive.jpg", "orientation-6.jpg",
    "gif-animated-two-frames.gif", "webp-animated.webp", "avif-grid.avif",
    "heic-thumbnail-bars.heic",
  ])
  func `a whole file is complete`(name: String) throws {
    #expect(try Self.decode(try Fixtures.bytes(name)) == true)
    #expect(try Self.decode(try Fixtures.bytes(name)) { $0.verifiesWholeFile = true } == true)
  }

  @Test func `the frames of a PNG animation are not known to be complete, unless verified`() throws
  {
    let bytes = try Fixtures.bytes("png-animated.png")
    #expect(try Self.decode(bytes) == nil)
    #expect(try Self.decode(bytes) { $0.verifiesWholeFile = true } == true)
  }

  @Test func `a progressive JPEG that is cut anywhere is an error or not known to be complete`()
    throws
  {
    let bytes = try Fixtures.bytes(Self.progressive)
    var encodedCount = 0
    for percent in 1..<100 {
      let cut = bytes.prefix(bytes.count * percent / 100)
      guard let isComplete = try? Self.decode(cut) as Bool?? else { continue }
      encodedCount += 1
      #expect(isComplete == .some(nil), "\(percent) %")
      #expect(throws: ImageDecodingError.self) {
        try Self.decode(cut) { $0.verifiesWholeFile = true }
      }
    }
    #expect(encodedCount > 5)
    // Data behind the image hides its end.
    #expect(try Self.decode(bytes + [0]) == nil)
    #expect(try Self.decode(bytes + [0]) { $0.verifiesWholeFile = true } == true)
  }

  @Test func `an open file tells the same as bytes`() throws {
    let directory = TemporaryDirectory()
    let bytes = try Fixtures.bytes(Self.progressive)
    for (count, expected) in [(bytes.count, true), (bytes.count - 2, nil)] {
      let path = try directory.write("a.jpg", Array(bytes.prefix(count)))
      let file = try #require(FileHandle(forReadingAtPath: path))
      let image = try ImageDecoder().decode(fileDescriptor: file.fileDescriptor)
      #expect(image.isComplete == expected)
    }
  }

  @Test func `an animation that is cut after its first frame is incomplete`() throws {
    #expect(try Self.decode(try Fixtures.bytes("broken/gif-cut-second-frame.gif")) == false)
  }

  @Test func `a HEIC file that is cut in the picture behind its thumbnail is incomplete`() throws {
    var bytes = try Fixtures.bytes("broken/heic-thumbnail-other.heic")
    // The list of locations begins with the offset and the size of the picture, which is moved to the end.
    let list = try #require(bytes.firstRange(of: Array("iloc".utf8))).lowerBound + 20
    func number(at index: Int) -> Int { bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) } }
    let (start, size, end) = (number(at: list), number(at: list + 4), bytes.count)
    bytes += bytes[start..<start + size]
    for index in 0..<4 { bytes[list + index] = UInt8(truncatingIfNeeded: end >> (24 - 8 * index)) }
    #expect(try Self.decode(bytes) == true)
    #expect(try Self.decode(bytes.dropLast()) == false)
    #expect(throws: ImageDecodingError.self) {
      try Self.decode(bytes.dropLast()) { $0.verifiesWholeFile = true }
    }
  }

  @Test(arguments: [
    "jpeg-cut-baseline.jpg", "jpeg-cut-progressive-in-ac.jpg", "png-cut-in-image-data.png",
    "webp-cut-second-frame.webp", "gif-cut-in-data.gif", "heic-tile-damaged.heic",
  ])
  func `a damaged file is incomplete in a lenient decode`(name: String) throws {
    #expect(try Self.decode(try Fixtures.bytes("broken/\(name)")) { $0.isLenient = true } == false)
  }
}
