import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import lqip

@Suite struct HelpTextTests {
  private func check<Described: Command>(_ command: Described.Type) {
    let help = HelpText.text(for: command)
    let operand = command.operand.isEmpty ? "" : " \(command.operand)"
    #expect(help.hasPrefix("Usage: lqip \(command.name) [OPTION]...\(operand)\n"))
    #expect(help.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
    for option in command.table {
      let names = (option.short.map { "-\($0), " } ?? "    ") + option.name
      #expect(help.contains("\n  \(names)"))
      let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains(option.help), "help of \(option.name)")
      if case .take(_, let allowed, _) = option.effect, allowed.hasPrefix("a "),
        let bound = allowed.split(separator: " ").last(where: { Double($0) != nil })
      {
        #expect(option.help.contains(bound), "help of \(option.name) without its range")
      }
    }
    for line in help.split(separator: "\n") { #expect(line.count <= 80) }
  }

  @Test func `a command's help has every option of its table`() {
    for command in Lqip.commands { check(command) }
  }

  @Test func `the program's help has every command`() {
    let help = HelpText.text(for: Lqip.commands)
    for command in Lqip.commands {
      #expect(help.contains("\n  \(command.name) "))
    }
    #expect(help.contains("\n  help [COMMAND] "))
    #expect(help.contains("\n  version "))
    #expect(help.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
  }

  @Test func `no two options of a command share a name`() {
    func names<Described: Command>(_ command: Described.Type) -> [String] {
      command.table.flatMap { [$0.name] + ($0.short.map { ["-\($0)"] } ?? []) }
    }
    for command in Lqip.commands {
      let names = names(command)
      #expect(Set(names).count == names.count)
    }
  }
}
