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
    #expect(Suggestion.nearest(to: word, among: names) == expected)
  }

  @Test(arguments: ["--foo", "--", "", "-o", "--outputfiles"])
  func `a dissimilar word gets no suggestion`(word: String) {
    #expect(Suggestion.nearest(to: word, among: names) == nil)
  }

  @Test(
    arguments: [
      ("lqpi", "lqip"), ("BlurHash", "blurhash"), ("thumb", "thumbhash"), ("palete", "palette"),
      ("png", nil), ("gif", nil), ("cs", "css"),
    ] as [(String, String?)])
  func `a transposition counts as one edit, and a short word may differ by only one edit`(
    word: String, expected: String?
  ) {
    #expect(Suggestion.nearest(to: word, among: kinds) == expected)
  }

  @Test(
    arguments: [
      ("blurhash,thumhash", "blurhash,thumbhash"), ("Lqip", "lqip"), ("blurhash,", "blurhash"),
      ("blurhash,foo", nil), ("blurhash,blurhsh", "blurhash"), ("css,css,svg", "css,svg"),
      ("css,svg", nil), ("", nil), (",", nil),
    ] as [(String, String?)])
  func `a list is corrected completely or not at all`(list: String, expected: String?) {
    #expect(Suggestion.corrected(list: list, by: kinds) == expected)
  }
}
