import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipService

@Suite struct ListenAddressTests {
  @Test func `an address is parsed as a host and a port or as a socket path`() {
    #expect(ListenAddress("127.0.0.1:8080") == .network(host: "127.0.0.1", port: 8080))
    #expect(ListenAddress("localhost:0") == .network(host: "localhost", port: 0))
    #expect(ListenAddress("[::1]:65535") == .network(host: "::1", port: 65535))
    #expect(ListenAddress("unix:/run/a b") == .local(FilePath("/run/a b")))
  }

  @Test(arguments: [
    "", ":8080", "localhost", "localhost:", "localhost:65536", "localhost:+1", "localhost:x",
    "::1:8080", "[::1]", "[::1:8080", "[localhost]:1", "unix:", "8080", "[]:1",
  ])
  func `a malformed address is rejected`(text: String) {
    #expect(ListenAddress(text) == nil)
  }

  @Test(arguments: ["127.0.0.1:8080", "[::1]:80", "unix:/run/lqip.sock"])
  func `the description of an address equals the parsed text`(text: String) {
    #expect(ListenAddress(text)?.description == text)
  }
}
