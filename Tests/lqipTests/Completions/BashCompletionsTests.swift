import PlaceholdersTestSupport
import Testing

@testable import lqip

@Suite struct BashCompletionsTests {
  private let directory: TemporaryDirectory
  private let script: String

  init() throws {
    directory = try TemporaryDirectory()
    script = try directory.write("lqip", Array(Shell.bash.script(for: CommandOutline.all).utf8))
  }

  /// What bash offers for the last of the words, each line a word; `no files` if nothing else may
  /// stand there.
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

  @Test func `the first word is a command`() throws {
    #expect(
      try completions("")
        == ["no files"] + Lqip.commands.map { $0.name } + ["-h", "--help", "--version"])
    #expect(try completions("de") == ["no files", "decode"])
    #expect(try completions("--v") == ["no files", "--version"])
  }

  @Test func `every option is offered for its command`() throws {
    for command in CommandOutline.all {
      let names = (command.options + CommandOutline.common).flatMap(\.names)
      let offered = try completions(command.name, "-").filter { $0 != "no files" }
      #expect(offered == names)
    }
    #expect(try completions("decode", "--wi") == ["no files", "--width"])
  }

  @Test func `a choice has its words, apart or after the sign`() throws {
    #expect(try completions("encode", "--lqip", "") == ["no files", "fitted", "corners", "six"])
    #expect(try completions("encode", "--lqip", "=") == ["no files", "fitted", "corners", "six"])
    #expect(try completions("encode", "a.png", "--lqip", "=", "s") == ["no files", "six"])
    #expect(try completions("gallery", "--progress", "al") == ["no files", "always"])
    #expect(try completions("completions", "") == ["no files", "bash", "zsh", "fish"])
  }

  @Test func `files are left to bash where they may stand`() throws {
    #expect(try completions("encode", "") == [])
    #expect(try completions("encode", "a.png", "b") == [])
    #expect(try completions("decode", "-o", "") == [])
    #expect(try completions("decode", "--output", "=", "a") == [])
    #expect(try completions("encode", "--", "-") == [])
  }

  @Test func `nothing is offered for what nobody can guess`() throws {
    #expect(try completions("encode", "-j", "") == ["no files"])
    #expect(try completions("decode", "--punch", "=", "") == ["no files"])
    #expect(try completions("decode", "") == ["no files"])
    #expect(try completions("frobnicate", "-") == ["no files"])
    #expect(try completions("css", "x") == ["no files"])
  }
}
