import Foundation
import LqipTestSupport
import Testing

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
    ("Packaging/compose.yaml", "lqip[:-]"), ("Packaging/kubernetes.yaml", "lqip[:-]"),
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
