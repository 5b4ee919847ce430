import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

@Suite struct ImageDecodingErrorTests {
  @Test(
    arguments: [
      (
        .unsupportedFormat(reason: "neither a JPEG, PNG, WebP nor GIF image"),
        "neither a JPEG, PNG, WebP nor GIF image"
      ),
      (
        .unsupported(format: .jpeg, reason: "12 bits a sample"),
        "unsupported kind of JPEG image: 12 bits a sample"
      ),
      (.corrupt(format: .png, reason: "IDAT: CRC error"), "damaged PNG image: IDAT: CRC error"),
      (
        .truncated(format: .jpeg, reason: "the file ends early"),
        "truncated JPEG image: the file ends early"
      ),
      (.tooLarge(reason: "too many scans"), "image too large: too many scans"),
      (.timedOut, "decoding took too long"),
      (.unreadable(errno: 5), "the image could not be read: Input/output error"),
      (.outOfMemory, "out of memory"),
      (
        .libraryUnavailable(format: .webp, reason: "libwebp could not be loaded"),
        "WebP images cannot be read now: libwebp could not be loaded"
      ),
    ] as [(ImageDecodingError, String)])
  func `an error says in one line what is wrong`(error: ImageDecodingError, text: String) {
    #expect("\(error)" == text)
  }
}
