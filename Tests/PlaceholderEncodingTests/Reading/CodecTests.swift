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

#if os(Linux)
import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

/// Tests of codec libraries that are loaded on first use.
@Suite struct CodecLibraryTests {
  @Test func `loading a codec library is retried after a failure`() async {
    await #expect(processExitsWith: .success) {
      for name in ["webp-alpha-540x530.webp", "gif-640x480.gif"] {
        let bytes = try Fixtures.bytes(name)
        for _ in 1...2 {
          let error = try #require(CodecLibraryTests.errorWithoutDescriptors(bytes))
          #expect("\(error)".hasSuffix("could not be loaded"))
          #expect(error.code == "internal")
        }
        #expect(throws: Never.self) { try PlaceholderEncoder().encode(bytes) }
      }
    }
  }

  /// Encodes an image while no file can be opened, and returns the error.
  static func errorWithoutDescriptors(_ bytes: [UInt8]) -> ImageDecodingError? {
    var limits = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    var none = rlimit(rlim_cur: 0, rlim_max: limits.rlim_max)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
    defer { unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) }
    do throws(ImageDecodingError) {
      _ = try PlaceholderEncoder().encode(bytes)
      return nil
    } catch {
      return error
    }
  }
}
#endif

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
