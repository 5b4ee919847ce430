import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

@Suite struct ImageSourceTests {
  private static func error(ofDescriptor descriptor: Int32) -> ImageDecodingError? {
    Result { () throws(ImageDecodingError) in
      try ImageDecoder().decode(fileDescriptor: descriptor)
    }.failure
  }

  @Test(arguments: [Int32.max, -1])
  func `a closed descriptor is reported as unreadable`(descriptor: Int32) {
    #expect(Self.error(ofDescriptor: descriptor) == .unreadable(errno: EBADF))
  }

  @Test func `a directory is reported as unreadable`() throws {
    let directory = unsafe open(Fixtures.path("broken"), O_RDONLY)
    try #require(directory >= 0)
    defer { close(directory) }
    #expect(Self.error(ofDescriptor: directory) == .unreadable(errno: EISDIR))
  }

  @Test(arguments: ["png-rgb-8-bit.png", "jpeg-baseline-420.jpg", "broken/empty.jpg"])
  func `a pipe that delivers single bytes is read completely`(fixture: String) async throws {
    let bytes = try Fixtures.bytes(fixture)
    let pipe = Pipe()
    let writer = pipe.fileHandleForWriting
    Thread.detachNewThread {
      for byte in bytes { writer.write(Data([byte])) }
      try? writer.close()
    }
    let reader = pipe.fileHandleForReading
    let result = Result { () throws(ImageDecodingError) in
      try PlaceholderEncoder().encode(fileDescriptor: reader.fileDescriptor)
    }
    #expect(result == PlaceholderEncoder().result(bytes))
  }

  @Test func `a file is read from its current offset and stays open`() throws {
    let file = try #require(FileHandle(forReadingAtPath: Fixtures.path("png-trailing-garbage.png")))
    _ = try #require(try file.read(upToCount: 8))
    #expect(Self.error(ofDescriptor: file.fileDescriptor)?.code == "unsupported_format")
    try file.seek(toOffset: 0)
    #expect(Self.error(ofDescriptor: file.fileDescriptor) == nil)
  }
}

@Suite struct ImageDecodingErrorTests {
  @Test(
    arguments: [
      (
        .unsupportedFormat(reason: "not a JPEG, PNG, WebP, GIF, AVIF or HEIC image"),
        "not a JPEG, PNG, WebP, GIF, AVIF or HEIC image"
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
        .libraryUnavailable(format: .webp, reason: "a library could not be loaded"),
        "WebP support is unavailable: a library could not be loaded"
      ),
    ] as [(ImageDecodingError, String)])
  func `a decoding error is described on one line`(error: ImageDecodingError, text: String) {
    #expect("\(error)" == text)
  }
}
