import Foundation
import Testing

@testable import LqipFiles
@testable import LqipOptions
@testable import LqipService

@Suite struct ClientAddressTests {
  private func address(_ text: String) -> ClientAddress? {
    if text.contains(":") {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      #expect(unsafe inet_pton(AF_INET6, text, &address.sin6_addr) == 1)
      return unsafe withUnsafePointer(to: &address) {
        unsafe ClientAddress(UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self))
      }
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    #expect(unsafe inet_pton(AF_INET, text, &address.sin_addr) == 1)
    return unsafe withUnsafePointer(to: &address) {
      unsafe ClientAddress(UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self))
    }
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
    ("2001:db8::1", "2001:db8:0:0::/64"), ("::1", "0:0:0:0::/64"),
  ])
  func `an address is written for people`(text: String, expected: String) {
    #expect(address(text)?.description == expected)
  }

  @Test func `the addresses that one host may have are one`() {
    #expect(address("2001:db8::1") == address("2001:db8::ffff:1:2:3"))
    #expect(address("2001:db8::1") != address("2001:db8:0:1::1"))
    #expect(address("192.0.2.1") == address("::ffff:192.0.2.1"))
  }

  @Test func `a local socket has none`() {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let client = unsafe withUnsafePointer(to: &address) {
      unsafe ClientAddress(UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self))
    }
    #expect(client == nil)
  }
}
