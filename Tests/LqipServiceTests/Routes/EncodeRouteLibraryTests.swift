#if os(Linux)
import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipService

/// A codec library that is away for a moment.
@Suite struct EncodeRouteLibraryTests {
  @Test func `a library that cannot be loaded is a 503, and the next request another try`() async {
    await #expect(processExitsWith: .success) {
      let service = TestService()
      let image = try Fixtures.bytes("gif-640x480.gif")
      var limits = rlimit()
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
      var none = rlimit(rlim_cur: 0, rlim_max: limits.rlim_max)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
      let refusal = service.response("POST", "/v1/encode", [:], image)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
      #expect(refusal.status == 503)
      #expect(refusal.outcome == "internal")
      #expect(refusal.fields.contains { $0.name == "retry-after" })
      #expect(String(decoding: refusal.body, as: UTF8.self).contains("giflib could not be loaded"))
      #expect(service.response("POST", "/v1/encode", [:], image).status == 200)
    }
  }
}
#endif
