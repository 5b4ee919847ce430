import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

@Suite struct ImageDecodingErrorTests {
  @Test(
    arguments: [
      (
        .unsupportedFormat(reason: "not a JPEG, PNG, WebP or GIF image"),
        "not a JPEG, PNG, WebP or GIF image"
      ),
      (
        .unsupported(format: .jpeg, reason: "12 bits per sample"),
        "unsupported JPEG image: 12 bits per sample"
      ),
      (.corrupt(format: .png, reason: "IDAT: CRC error"), "damaged PNG image: IDAT: CRC error"),
      (
        .truncated(format: .jpeg, reason: "unexpected end of file"),
        "truncated JPEG image: unexpected end of file"
      ),
      (.tooLarge(reason: "too many scans"), "image too large: too many scans"),
      (.timedOut, "decoding took too long"),
      (.unreadable(errno: 5), "cannot read the image: Input/output error"),
      (.outOfMemory, "out of memory"),
      (
        .libraryUnavailable(format: .webp, reason: "libwebp could not be loaded"),
        "WebP support is unavailable: libwebp could not be loaded"
      ),
    ] as [(ImageDecodingError, String)])
  func `a decoding error is described on one line`(error: ImageDecodingError, text: String) {
    #expect("\(error)" == text)
  }
}
