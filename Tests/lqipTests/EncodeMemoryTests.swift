#if os(Linux)
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// Codec libraries whose memory allocations fail.
@Suite struct EncodeMemoryTests {
  private static let images = [
    ("libwebp.so", "webp-lossy-size-127x128.webp", []),
    ("libwebp.so", "webp-lossy-2400x1800.webp", []),
    ("libwebp.so", "webp-alpha.webp", []), ("libwebp.so", "webp-lossless-rgba.webp", []),
    ("libwebp.so", "webp-lossless-16-colors.webp", []),
    ("libgif.so", "gif-local-over-global-colors.gif", []), ("libgif.so", "gif-extensions.gif", []),
    ("libpng16.so", "png-iccp-display-p3-palette.png", []),
    ("libpng16.so", "png-iccp-display-p3-rgba.png", ["--exact"]),
    ("libpng16.so", "png-adam7-palette-4-bit-trns.png", []),
    ("libpng16.so", "png-cicp-over-profile.png", []),
    ("liblcms2.so", "png-iccp-display-p3.png", []), ("liblcms2.so", "png-cicp-display-p3.png", []),
    ("liblcms2.so", "jpeg-icc-gray-gamma-1.8.jpg", []),
  ]

  @Test(arguments: images)
  func `a failed allocation in a codec library causes an error record or the usual record`(
    library: String, image: String, options: [String]
  ) throws {
    let arguments = ["encode", "--sandbox=off", Fixtures.path(image)] + options
    let good = try Program(arguments)
    #expect(good.status == 0)
    let memory = try FaultyMemory()
    var refusals = 0
    for number in 1...300 {
      let run = try Program(arguments, environment: memory.refusing(number, to: library))
      guard run.errors.contains("refused") else { break }
      refusals += 1
      // Some libraries continue without the memory.
      guard run.output != good.output else { continue }
      // lcms2 2.14 and libwebp 1.2.4 crash after some failed allocations.
      let mayCrash = ["liblcms2.so", "libwebp.so"].contains(library)
      let codes = try run.codes
      #expect(
        codes == ["too_large"] || mayCrash && codes == ["decoder_failed"], "\(number): \(run.lines)"
      )
    }
    #expect(refusals > 0)
  }

  @Test func `reading a lossless WebP in pieces does not parse its codes again for each piece`()
    throws
  {
    // Four parses make 36 allocations; eight parses, one for each piece, would make 68.
    let faulty = try FaultyMemory()
    let memory = faulty.refusing(50, to: "libwebp.so")
    let run = try Program(
      ["encode", "--sandbox=off", Fixtures.path("broken/webp-3072-groups.webp")],
      environment: memory)
    #expect(run.status == 0)
    #expect(!run.errors.contains("refused"))
  }
}
#endif
