#if os(Linux)
import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

/// What is loaded at its first use.
@Suite struct CodecLibraryTests {
  @Test func `a library that could not be loaded is looked for again`() async {
    await #expect(processExitsWith: .success) {
      for name in ["webp-alpha-540x530.webp", "gif-640x480.gif"] {
        let bytes = try Fixtures.bytes(name)
        try unsafe CodecLibraryTests.withoutDescriptors {
          #expect(throws: ImageDecodingError.self) {
            try PlaceholderEncoder().encode(bytes)
          }
          do {
            _ = try PlaceholderEncoder().encode(bytes)
          } catch .libraryUnavailable(_, let reason) {
            #expect(reason.hasSuffix("could not be loaded"))
          } catch {
            Issue.record(error)
          }
        }
        #expect(throws: Never.self) { try PlaceholderEncoder().encode(bytes) }
      }
    }
  }

  /// Calls a function while no file can be opened.
  static func withoutDescriptors(_ body: () throws -> Void) rethrows {
    var limits = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    var none = rlimit(rlim_cur: 0, rlim_max: limits.rlim_max)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
    defer { unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) }
    try body()
  }
}
#endif
