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
