import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
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

/// The tests that Debian's autopkgtest runs with the installed package.
@Suite struct DebianTests {
  private static let names = ["encode", "serve"]

  @Test(arguments: names)
  func `each Debian package test passes with the built program`(name: String) throws {
    let scratch = TemporaryDirectory()
    let folder = Program.executable.deletingLastPathComponent().path
    let output = try Repository.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["AUTOPKGTEST_TMP=\(scratch.path)", "debian/tests/\(name)"], path: folder)
    #expect(output.hasPrefix("Tests/Images/size-640x480.png: "))
  }

  @Test func `debian/tests/control lists every Debian package test`() throws {
    let control = try Repository.lines(of: "debian/tests/control")
    #expect(control.contains("Tests: \(Self.names.joined(separator: ", "))"))
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appendingPathComponent("debian/tests").path)
    #expect(files.sorted() == (Self.names + ["control"]).sorted())
  }
}

@Suite struct VersionTests {
  private func version() throws -> String {
    let lines = try Repository.run(Program.executable, ["--version"]).components(separatedBy: "\n")
    return lines.first?.components(separatedBy: " ").last ?? ""
  }

  @Test func `the changelog begins with the program's version, unreleased or dated`() throws {
    let heading = try #require(
      try Repository.lines(of: "CHANGELOG.md").first { $0.hasPrefix("## ") })
    let parts = heading.components(separatedBy: " - ")
    #expect(parts.first == "## \(try version())")
    let date = try #require(parts.last)
    #expect(date == "unreleased" || date.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil)
  }

  @Test(arguments: [
    ("README.md", "lqip[:-]"), ("README.md", ", from: \""), ("Packaging/README.md", "lqip[:-]"),
    ("Packaging/npm/package.json", "\"version\": \""),
    ("Packaging/python/lqip/__init__.py", "__version__ = \""),
    ("Packaging/compose.yaml", "lqip[:-]"),
  ])
  func `names of archives, container images and dependencies contain the program's version`(
    path: String, prefix: String
  ) throws {
    let expected = try version()
    let text = try Repository.lines(of: path).joined(separator: "\n")
    let versions = text.matches(of: try Regex("\(prefix)(\\d+\\.\\d+\\.\\d+)"))
    #expect(Set(versions.map { String($0[1].substring ?? "") }) == [expected])
  }

  @Test func `the Debian package has the program's version`() throws {
    let entry = try #require(try Repository.lines(of: "debian/changelog").first)
    #expect(entry.hasPrefix("lqip (\(try version())-"))
  }
}
