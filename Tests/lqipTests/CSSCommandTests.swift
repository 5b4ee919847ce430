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
}
