import PlaceholdersTestSupport
import Testing

@testable import LqipService

@Suite struct TokenListTests {
  private func list(_ text: String) throws(TokenListError) -> TokenList {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return try TokenList(lines.map(Array.init))
  }

  @Test func `each line is a token, except blank lines and comments`() throws {
    let tokens = try list("one\n\n  # two\n\tthree== \r\n#four\nfi#ve".replacing("#ve", with: "ve"))
    for token in ["one", "three==", "five"] { #expect(tokens.contains(token.utf8)) }
    for token in ["", "two", "# two", "four", "#four", "on", "onee", "ONE", "three== ", "one\n"] {
      #expect(!tokens.contains(token.utf8))
    }
  }

  @Test(arguments: ["", "\n\n", "# none\n", " \t\n"])
  func `a file without tokens is rejected`(text: String) {
    #expect(throws: TokenListError("no tokens")) { try list(text) }
  }

  @Test(arguments: ["one\ntwo words", "one\nfi#ve", "one\n\u{E9}", "one\n\"two\"", "one\n\0"])
  func `an invalid token is reported without its text`(text: String) {
    let reason = "line 2: invalid token; use only letters, digits and -._~+/="
    #expect(throws: TokenListError(reason)) { try list(text) }
  }
}
