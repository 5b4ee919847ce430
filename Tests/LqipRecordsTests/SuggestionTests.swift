import PlaceholdersTestSupport
import Testing

@testable import LqipRecords

@Suite struct SuggestionTests {
  private let names = ["--output", "--exact", "--verify", "--version"]
  private let kinds = ["blurhash", "lqip", "thumbhash", "preview", "svg", "css", "palette"]

  @Test(arguments: [
    ("--ouptut", "--output"), ("--exakt", "--exact"), ("--verfy", "--verify"),
    ("--out", "--output"), ("--vers", "--version"), ("--OUTPUT", "--output"),
  ])
  func `a similar word or an abbreviation gets a suggestion`(word: String, expected: String) {
    #expect(Suggestion(for: word, among: names)?.word == expected)
  }

  @Test(arguments: ["--foo", "--", "", "-o", "--outputfiles"])
  func `a dissimilar word gets no suggestion`(word: String) {
    #expect(Suggestion(for: word, among: names)?.word == nil)
  }

  @Test(
    arguments: [
      ("lqpi", "lqip"), ("BlurHash", "blurhash"), ("thumb", "thumbhash"), ("palete", "palette"),
      ("png", nil), ("gif", nil), ("cs", "css"),
    ] as [(String, String?)])
  func `a transposition counts as one edit, and a short word may differ by only one edit`(
    word: String, expected: String?
  ) {
    #expect(Suggestion(for: word, among: kinds)?.word == expected)
  }
}
