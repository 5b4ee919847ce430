import PlaceholdersTestSupport
import Testing

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords

@Suite struct HelpTextTests {
  private static let commands = CommandText.all

  @Test(arguments: commands)
  func `the help of a command lists every option under its group heading`(
    command: CommandText
  ) throws {
    let help = HelpText.text(for: command)
    let operand = command.operand.isEmpty ? "" : " \(command.operand)"
    #expect(help.hasPrefix("Usage: lqip \(command.name) [OPTION]...\(operand)\n"))
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var rest = help[...]
    for group in command.groups {
      let heading = try #require(rest.firstRange(of: "\n\n\(group.title):\n"))
      rest = rest[heading.upperBound...]
      for option in group.options {
        let names = (option.names.count > 1 ? "" : "    ") + option.names.joined(separator: ", ")
        let row = try #require(rest.firstRange(of: "  \(names)"), "\(names)")
        rest = rest[row.upperBound...]
        #expect(words.contains(option.help), "help of \(names)")
      }
    }
    #expect(rest.contains("  -h, --help "))
  }

  @Test(arguments: commands)
  func `help is at most 80 columns wide and has no trailing spaces`(command: CommandText) {
    for line in HelpText.text(for: command).split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
      #expect(!line.hasSuffix(" "), "\(line)")
    }
  }

  @Test func `encode has at most 32 options and 72 lines of help`() {
    let encode = CommandText(of: EncodeCommand.self)
    #expect(encode.options.count <= 32)
    let help = HelpText.text(for: encode)
    #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 72)
  }

  @Test(arguments: commands)
  func `every example in the help can be parsed`(command: CommandText) throws {
    #expect(command.examples.count >= 2)
    for (_, line) in Array(command.examples) + HelpText.examples {
      let text = line.replacing("eval \"$(", with: "").replacing(")\"", with: "")
      let words = text.prefix { !"|>".contains($0) }.split(separator: " ").map {
        $0.hasPrefix("'") ? $0.dropFirst().dropLast() : $0
      }
      #expect(words.first == "lqip")
      let name = try #require(words.dropFirst().first)
      let chosen = try #require(Lqip.commands.first { $0.text.name == name })
      func parse<Parsed: Command>(_ command: Parsed.Type) throws {
        _ = try CommandParser<Parsed>.parse(
          words.dropFirst(2).map { CommandArgument("\($0)") }[...])
      }
      #expect(throws: Never.self, "\(line)") { try parse(chosen) }
    }
  }

  @Test(arguments: commands)
  func `the manual states the upper bound of every numeric option`(command: CommandText) {
    for option in command.options {
      let allowed = option.allowed
      guard allowed.hasPrefix("a whole number") || allowed.hasPrefix("a number of seconds"),
        let bound = allowed.split(separator: " ").last(where: { Double($0) != nil })
      else { continue }
      #expect(option.details.contains(bound), "details of \(option.name) without \(bound)")
    }
  }

  @Test(arguments: commands)
  func `the help of an option is a phrase, and its details are sentences`(command: CommandText) {
    for option in command.options {
      #expect(!option.help.hasSuffix("."), "\(option.help)")
      #expect(option.help.first?.isUppercase == true, "\(option.help)")
      #expect(option.explanation.hasSuffix("."), "\(option.explanation)")
      #expect(!option.explanation.contains(".. "), "\(option.explanation)")
    }
  }

  @Test func `the program's help lists every command`() {
    let help = HelpText.text(for: Self.commands)
    for command in Lqip.commands {
      #expect(help.contains("\n  \(command.text.name) "))
    }
    #expect(help.contains("\n  help [COMMAND] "))
    #expect(help.contains("\n  version "))
    #expect(help.contains("\n  141  "))
    #expect(help.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") && $0.count <= 80 })
  }

  @Test func `no two options of a command share a name`() {
    for command in Self.commands {
      let names = (command.options + OptionText.common).flatMap(\.names)
      #expect(Set(names).count == names.count)
    }
  }
}
