import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import Placeholders
@testable import lqip

@Suite struct CSSCommandTests {
  @Test func `the stylesheet is written to standard output or a file`() throws {
    let printed = try Program("css")
    #expect(printed.status == 0)
    #expect(printed.errors == "")
    #expect(printed.output == Array(LQIP.stylesheet.utf8))
    let directory = try TemporaryDirectory()
    let written = try Program("css", "-o", directory.file("lqip.css"))
    #expect(written.status == 0)
    #expect(written.output.isEmpty)
    #expect(try directory.text(of: "lqip.css") == LQIP.stylesheet)
    #expect(try directory.names == ["lqip.css"])
  }

  @Test func `an output without the extension .css is rejected`() throws {
    let run = try Program("css", "-o", "page.html")
    #expect(run.status == 2)
    #expect(
      run.errors
        == "lqip: -o page.html: unsupported extension; use .css\nTry 'lqip css --help'.\n")
  }

  @Test func `a stylesheet not written by lqip is replaced only with --force`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("site.css", Array("body {}\n".utf8))
    let refusal = try Program("css", "-o", file)
    #expect(refusal.status == 3)
    #expect(
      refusal.errors
        == "lqip: \(file) exists but does not look like lqip output; "
        + "pass --force to replace it\n")
    #expect(try Program("css", "-o", file, "--force").status == 0)
    #expect(try directory.text(of: "site.css") == LQIP.stylesheet)
  }

  @Test func `lqip css rejects an argument`() throws {
    let run = try Program("css", "#ccd94c11")
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors == "lqip: unexpected argument '#ccd94c11'\nTry 'lqip css --help'.\n")
  }
}
