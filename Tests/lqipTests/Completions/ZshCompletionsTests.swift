import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import lqip

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
