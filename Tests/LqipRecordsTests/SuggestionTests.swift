import Testing

@testable import LqipRecords

@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("--ouptut", "--output"), ("--exakt", "--exact"), ("--verfy", "--verify"),
      ("--out", "--output"), ("--vers", "--version"), ("--OUTPUT", "--output"), ("lqpi", "lqip"),
      ("BlurHash", "blurhash"), ("thumb", "thumbhash"), ("palete", "palette"), ("cs", "css"),
      ("--foo", nil), ("--", nil), ("", nil), ("-o", nil), ("--outputfiles", nil), ("png", nil),
      ("gif", nil),
    ] as [(String, String?)])
  func `only a similar word or an abbreviation gets a suggestion`(word: String, expected: String?) {
    let names = [
      "--output", "--exact", "--verify", "--version", "blurhash", "lqip", "thumbhash", "preview",
      "svg", "css", "palette",
    ]
    let suggestion = UsageError.suggestion(for: word, among: names)
    #expect(suggestion == expected.map { " (did you mean '\($0)'?)" } ?? "")
  }
}
