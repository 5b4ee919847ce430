import PlaceholdersTestSupport
import Testing

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords

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
        == ["no files"] + Self.outlines.map(\.name) + ["-h", "--help", "-V", "--version"])
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

@Suite struct ZshCompletionsTests {
  private let script = Shell.zsh.script(for: CommandText.all + CommandText.questions)

  @Test func `the script contains every command and option`() {
    for command in CommandText.all {
      #expect(script.contains("\n    '\(command.name):"))
      #expect(script.contains("\n    \(command.name))\n      _arguments"))
      for option in command.options {
        let sign = option.value == nil ? "" : "="
        let name = option.names.last ?? ""
        #expect(script.contains("\(name)\(sign)[") || script.contains("\(name)\(sign)}'["))
      }
    }
  }

  @Test func `the specification of an option contains its exclusions, names, help and value`() {
    #expect(
      script.contains(
        "'(-j --jobs)'{-j+,--jobs=}'[Decode in N worker processes (default\\: one per core)]:N: '"))
    #expect(script.contains("'--exact[Decode at full resolution (slower)]'"))
    #expect(script.contains(":METHOD:(fitted corners six)'"))
    #expect(script.contains("'*:PATH...:_files'"))
    #expect(
      script.contains(":KIND,...:_values -s , name blurhash lqip thumbhash tiny preview svg css"))
    #expect(script.contains("'1:\\[COMMAND\\]:(encode export decode "))
    #expect(script.contains("'1:SHELL:(bash zsh fish)'"))
  }

  @Test func `special characters of zsh and its functions are escaped`() {
    let option = OptionText(name: "--odd", help: "it's [a] b:c \\d")
    var command = CommandText(of: CSSCommand.self)
    command.groups = [("Odd", [option])]
    #expect(Shell.zsh.script(for: [command]).contains("'--odd[it'\\''s \\[a\\] b\\:c \\\\d]'"))
    #expect(Shell.fish.script(for: [command]).contains("-l odd -d 'it\\'s [a] b:c \\\\d'"))
  }

  @Test(.enabled(if: try Shell.zsh.isInstalled))
  func `zsh finds no syntax error in the script`() throws {
    let directory = TemporaryDirectory()
    let file = try directory.write("_lqip", Array(script.utf8))
    let check = try Shell.zsh.run(arguments: ["-n", file])
    #expect(check.status == 0)
    #expect(check.lines == [])
  }
}

@Suite struct FishCompletionsTests {
  private let script = Shell.fish.script(for: CommandText.all + CommandText.questions)

  @Test func `the script contains every command and option`() {
    for command in CommandText.all {
      #expect(script.contains("-n '__fish_use_subcommand' -a \(command.name) -d '"))
      for option in command.options + OptionText.common {
        let condition = "-n '__fish_seen_subcommand_from \(command.name)' "
        let short = option.names.count > 1 ? "-s \(option.names[0].dropFirst()) " : ""
        let long = "-l \(option.names.last?.dropFirst(2) ?? "") "
        #expect(script.contains(condition + short + long))
      }
    }
  }

  @Test func `values and operands complete to words or files`() {
    #expect(script.contains("-l lqip -x -a 'fitted corners six' -d "))
    #expect(script.contains("-s o -l output -r -F -d "))
    #expect(script.contains("-s j -l jobs -x -d "))
    #expect(script.contains("-l exact -d "))
    #expect(script.contains("-l kinds -x -a '(__fish_append , blurhash lqip thumbhash tiny "))
    #expect(script.contains("-n '__fish_seen_subcommand_from help' -a 'encode export decode "))
    #expect(script.contains("-n '__fish_seen_subcommand_from encode' -F\n"))
    #expect(script.contains("-n '__fish_seen_subcommand_from completions' -a 'bash zsh fish'\n"))
  }

  @Test(.enabled(if: try Shell.fish.isInstalled))
  func `fish completes command lines with the script`() throws {
    let directory = TemporaryDirectory()
    let file = try directory.write("lqip.fish", Array(script.utf8))
    func completions(_ line: String) throws -> [String] {
      let run = try Shell.fish.run(
        arguments: ["--no-config", "-c", "source \(file); complete -C '\(line)'"])
      return run.lines.map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(
      try completions("lqip ").sorted()
        == (Lqip.commands.map { $0.text.name } + ["help", "version"]).sorted())
    #expect(try completions("lqip encode --kinds svg,bl") == ["svg,blurhash"])
    #expect(try completions("lqip encode --lqip ").sorted() == ["corners", "fitted", "six"])
    #expect(try completions("lqip decode --wi") == ["--width"])
    #expect(try completions("lqip encode \(directory.path)/l") == ["\(directory.path)/lqip.fish"])
    #expect(try completions("lqip decode \(directory.path)/l") == [])
  }
}
