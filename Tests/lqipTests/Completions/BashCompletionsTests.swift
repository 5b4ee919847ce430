import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import lqip

@Suite struct BashCompletionsTests {
  private let directory = TemporaryDirectory()
  private let script: String
  private static let outlines = CommandText.all + CommandText.questions

  init() throws {
    script = try directory.write("lqip", Array(Shell.bash.script(for: Self.outlines).utf8))
  }

  /// Returns the candidates for the last word, after `no files` if bash may not complete file names.
  private func completions(_ words: String...) throws -> [String] {
    let driver = try directory.write(
      "driver",
      Array(
        """
        source \(script)
        compopt() { [[ $* == '+o default' ]] && echo 'no files'; }
        COMP_WORDS=(lqip "$@")
        COMP_CWORD=$#
        _lqip
        for word in "${COMPREPLY[@]}"; do echo "$word"; done
        """.utf8))
    let arguments = [driver] + words
    return try Shell.bash.run(arguments: arguments).lines
  }

  @Test func `the first word completes to a command`() throws {
    #expect(
      try completions("")
        == ["no files"] + Self.outlines.map(\.name) + ["-h", "--help", "--version"])
    #expect(try completions("de") == ["no files", "decode"])
    #expect(try completions("--v") == ["no files", "--version"])
  }

  @Test func `every command completes its options`() throws {
    for command in CommandText.all {
      let names = (command.options + OptionText.common).flatMap(\.names)
      let offered = try completions(command.name, "-").filter { $0 != "no files" }
      #expect(offered == names)
    }
    #expect(try completions("decode", "--wi") == ["no files", "--width"])
  }

  @Test func `an option value completes as a separate word or after an equals sign`() throws {
    #expect(try completions("encode", "--lqip", "") == ["no files", "fitted", "corners", "six"])
    #expect(try completions("encode", "--lqip", "=") == ["no files", "fitted", "corners", "six"])
    #expect(try completions("encode", "a.png", "--lqip", "=", "s") == ["no files", "six"])
    #expect(try completions("gallery", "--sandbox", "re") == ["no files", "require"])
    #expect(try completions("completions", "") == ["no files", "bash", "zsh", "fish"])
  }

  @Test func `a comma-separated list completes name by name, without repetition`() throws {
    #expect(try completions("encode", "--kinds", "") == ["no files"] + Self.kinds)
    #expect(try completions("encode", "--kinds", "th") == ["no files", "thumbhash"])
    #expect(
      try completions("gallery", "--kinds", "blurhash,")
        == ["no files"] + Self.kinds.dropFirst().map { "blurhash,\($0)" })
    #expect(
      try completions("encode", "--kinds", "=", "svg,css,pr") == ["no files", "svg,css,preview"])
    #expect(try completions("encode", "--kinds", "*,l") == ["no files", "*,lqip"])
  }

  private static let kinds = [
    "blurhash", "lqip", "thumbhash", "tiny", "preview", "svg", "css", "palette",
  ]

  @Test func `the word after help completes to a command`() throws {
    #expect(try completions("help", "") == ["no files"] + Lqip.commands.map { $0.text.name })
    #expect(try completions("help", "ser") == ["no files", "serve"])
    #expect(try completions("version", "") == ["no files"])
  }

  @Test func `file names are completed by bash itself`() throws {
    #expect(try completions("encode", "") == [])
    #expect(try completions("encode", "a.png", "b") == [])
    #expect(try completions("decode", "-o", "") == [])
    #expect(try completions("decode", "--output", "=", "a") == [])
    #expect(try completions("encode", "--", "-") == [])
  }

  @Test func `numbers, strings and unknown commands have no completions`() throws {
    #expect(try completions("encode", "-j", "") == ["no files"])
    #expect(try completions("decode", "--punch", "=", "") == ["no files"])
    #expect(try completions("decode", "") == ["no files"])
    #expect(try completions("frobnicate", "-") == ["no files"])
    #expect(try completions("css", "x") == ["no files"])
  }
}
