import Foundation
import Testing

@Suite struct MakefileTests {
  private func output(_ arguments: [String]) throws -> [String] {
    let env = URL(fileURLWithPath: "/usr/bin/env")
    return try Repository.run(env, ["make", "--no-print-directory"] + arguments)
      .components(separatedBy: "\n")
  }

  @Test func `make without a target prints the output of make help`() throws {
    #expect(try output([]) == output(["help"]))
  }

  @Test func `every suite that make check skips exists`() throws {
    let text = try Repository.lines(of: "Makefile").joined(separator: "\n")
    let slow = try #require(text.firstMatch(of: /\nslow =((?:.*\\\n)*.*)\n/)?.1)
    let suites = slow.split { " \\\n".contains($0) }.map(String.init)
    try #require(suites.contains("BrowserTests"))
    let files = FileManager.default.enumerator(
      at: Repository.root.appendingPathComponent("Tests"), includingPropertiesForKeys: nil)
    let names = (files?.allObjects as? [URL] ?? []).map(\.lastPathComponent)
    #expect(suites.filter { !names.contains("\($0).swift") } == [])
  }

  @Test func `make help describes every target except staged`() throws {
    let text = try Repository.lines(of: "Makefile").joined(separator: "\n")
    let phony = try #require(text.firstMatch(of: /\.PHONY:((?:.*\\\n)*.*)\n/)?.1)
    let targets = phony.split { " \\\n".contains($0) }.map(String.init)
    let described = try output(["help"])
      .map { try #require($0.firstMatch(of: /^make ([a-z-]+) +[A-Z]/)?.1) }.map(String.init)
    #expect(described.sorted() == targets.filter { $0 != "staged" }.sorted())
  }
}
