import Foundation
import LqipTestSupport
import Testing

@Suite struct ReadmeTests {
  /// A command and its output in the README.
  private struct Sample {
    let arguments: [String]
    let output: String
  }

  /// Returns each line `    $ lqip …` of the README with the indented output below it.
  private func samples() throws -> [Sample] {
    let prompt = "    $ lqip "
    let lines = try Repository.lines(of: "README.md")
    return lines.indices.filter { lines[$0].hasPrefix(prompt) }.map { index in
      let shown = lines[(index + 1)...].prefix { $0.hasPrefix("    ") && !$0.hasPrefix("    $") }
      return Sample(
        arguments: lines[index].dropFirst(prompt.count).components(separatedBy: " "),
        output: shown.map { $0.trimmingCharacters(in: .whitespaces) }.joined())
    }
  }

  @Test func `each command in the README prints the output below it`() throws {
    let samples = try samples()
    try #require(samples.contains { $0.arguments.first == "encode" })
    for sample in samples {
      #expect(try Repository.run(Program.executable, sample.arguments) == sample.output)
    }
  }
}
