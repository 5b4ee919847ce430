import PlaceholdersTestSupport
import Testing

@testable import lqip

@Suite struct SuggestionTests {
  private let names = ["--output", "--exact", "--verify", "--version"]

  @Test(arguments: [
    ("--ouptut", "--output"), ("--exakt", "--exact"), ("--verfy", "--verify"),
    ("--out", "--output"), ("--vers", "--version"),
  ])
  func `a near word or a beginning is recognized`(word: String, expected: String) {
    #expect(Suggestion.nearest(to: word, among: names) == expected)
  }

  @Test(arguments: ["--foo", "--", "", "-o", "--outputfiles"])
  func `a far word is not`(word: String) {
    #expect(Suggestion.nearest(to: word, among: names) == nil)
  }
}
