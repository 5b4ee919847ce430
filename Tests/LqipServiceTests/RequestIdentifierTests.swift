import PlaceholdersTestSupport
import Testing

@testable import LqipService

@Suite struct RequestIdentifierTests {
  @Test(arguments: ["a", "0123-abc_DEF.9", String(repeating: "x", count: 128)])
  func `a safe request ID is kept`(given: String) {
    #expect(RequestIdentifier.identifier(given: given) == given)
  }

  @Test(arguments: [nil, "", "a b", "a\n", "é", "<", String(repeating: "x", count: 129)])
  func `a missing or unsafe request ID is replaced`(given: String?) {
    let generated = RequestIdentifier.identifier(given: given)
    #expect(generated.wholeMatch(of: /[0-9a-f]{16}/) != nil)
    #expect(generated != RequestIdentifier.identifier(given: given))
  }
}
