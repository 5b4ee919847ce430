import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import LqipService

@Suite struct ParsedHeadTests {
  /// Returns whether a head is strict; `~` stands for each NUL that libmicrohttpd writes into it.
  private func isStrict(_ head: String, target: String = "/a?b") -> Bool {
    let bytes = head.utf8.map { $0 == UInt8(ascii: "~") ? 0 : $0 }
    let start = bytes.prefix { $0 != 0 }.count + 1
    return ParsedHead.isStrict(
      bytes.span, targetRange: start..<(start + target.utf8.count),
      versionOffset: start + target.utf8.count + 1)
  }

  @Test(arguments: [
    "GET~/a~b~HTTP/1.1~~Host~ a~~~~", "GET~/a~b~HTTP/1.1~~Host~~~X~b~~~~", "GET~/a~b~HTTP/1.0~~~~",
  ])
  func `an unambiguous head is strict`(head: String) {
    #expect(isStrict(head))
  }

  @Test func `a truncated, extended or altered head is not strict`() {
    let head = Array("GET~/a~b~HTTP/1.1~~Host~ a~~X~b~~~~")
    for length in 0..<head.count { #expect(!isStrict(String(head[..<length]))) }
    #expect(!isStrict(String(head) + "~") && !isStrict(String(head) + "x"))
    for index in 17..<head.count {
      var changed = head
      changed.remove(at: index)
      let isNUL = head[index] == "~"
      if isNUL { #expect(!isStrict(String(changed)), "\(String(changed))") }
      changed = head
      changed.insert("~", at: index)
      #expect(!isStrict(String(changed)), "\(String(changed))")
    }
  }
}
