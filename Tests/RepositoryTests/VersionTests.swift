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

  @Test func `the Debian package has the program's version`() throws {
    let entry = try #require(try Repository.lines(of: "debian/changelog").first)
    #expect(entry.hasPrefix("lqip (\(try version())-"))
  }

  @Test func `the dependency in the README has the program's version`() throws {
    let dependency = try #require(
      try Repository.lines(of: "README.md").first { $0.contains(".package(url:") })
    #expect(dependency.hasSuffix("from: \"\(try version())\")"))
  }

  @Test(arguments: [
    "README.md", "Packaging/README.md", "Packaging/compose.yaml", "Packaging/kubernetes.yaml",
  ])
  func `names of archives and container images contain the program's version`(path: String) throws {
    let expected = try version()
    let text = try Repository.lines(of: path).joined(separator: "\n")
    let versions = text.matches(of: /lqip[:-](\d+\.\d+\.\d+)/).map { String($0.1) }
    #expect(Set(versions) == [expected])
  }
}
