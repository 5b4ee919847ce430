import LqipTestSupport
import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords
@testable import LqipService
@testable import LqipSystem

/// Random command lines, which must never crash the process.
@Suite struct OptionFuzzTests {
  private static let valueCount = 20_000

  /// Parses random command lines of one or two options and an operand, and uses the accepted ones.
  private func acceptedCount<Parsed: Command>(
    _ command: Parsed.Type, _ values: inout OddValues, use: (Parsed) -> Void
  ) -> Int {
    let names = (command.options.map(\.text) + OptionText.common).map(\.name)
    var accepted = 0
    for _ in 0..<Self.valueCount {
      var words: [CommandArgument] = []
      for _ in 0...values.number(below: 2) {
        let name = names[values.number(below: names.count)]
        words.append(CommandArgument(Array("\(name)=".utf8) + values.value()))
      }
      words.append(CommandArgument(values.value()))
      guard case .run(let parsed) = try? CommandParser<Parsed>.parse(words[...]) else { continue }
      accepted += 1
      use(parsed)
    }
    return accepted
  }

  private func acceptedCount(_ command: any Command.Type, _ values: inout OddValues) -> Int {
    func read<Parsed: Command>(_ command: Parsed.Type) -> Int {
      acceptedCount(command, &values) { _ in }
    }
    return read(command)
  }

  @Test func `random option values are parsed or rejected without a crash`() {
    var values = OddValues(seed: 12)
    for command in Lqip.commands { _ = acceptedCount(command, &values) }
  }

  @Test func `accepted option values can be used without a crash`() throws {
    var values = OddValues(seed: 13)
    let image = try Fixtures.bytes("size-1x1.png")
    let encoded = acceptedCount(EncodeCommand.self, &values) { command in
      guard command.encoding.limits.timeout > .milliseconds(1) else { return }
      _ =
        command.encoding.fileEncoder.record(of: image.span, at: FilePath("a")) as PlaceholderRecord
    }
    let decoded = acceptedCount(DecodeCommand.self, &values) { command in
      let string = command.strings.first ?? ""
      let preview = try? command.options.preview(
        of: string, as: command.kind ?? PlaceholderKind(of: string) ?? .blurHash, maximumSide: 4096)
      if let preview, max(command.options.width ?? 99, command.options.height ?? 99) < 99 {
        #expect(throws: Never.self) { try preview.bitmap() }
      }
    }
    let served = acceptedCount(ServeCommand.self, &values) { command in
      var decoding = command.limits.memory
      guard let limits = try? command.serverLimits(decoding: &decoding) else { return }
      #expect(limits.connectionCount > 0 && limits.requestTimeout > .zero)
      let budget = BodyBudget(byteCount: limits.bufferedByteCount)
      #expect(budget.reserve(1))
    }
    #expect(encoded > 100 && decoded > 100 && served > 0)
  }
}
