import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import lqip

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
