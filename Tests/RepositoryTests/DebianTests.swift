import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

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
