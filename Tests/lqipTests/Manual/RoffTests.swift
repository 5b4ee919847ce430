import PlaceholdersTestSupport
import Testing

@testable import lqip

@Suite struct RoffTests {
  @Test func `special characters in text are escaped`() {
    let text = "a-b 'c' \"d\" `e` ~f ^g \\h é"
    let roff: Roff = "\\fB\(text)\\fR"
    #expect(
      roff.markup
        == "\\fBa\\-b \\(aqc\\(aq \\(dqd\\(dq \\(gae\\(ga \\(tif \\(hag \\(rsh \\[u00E9]\\fR")
  }

  @Test func `no line of a paragraph begins with an unescaped period`() {
    #expect(Roff(paragraph: ".jpg or 'x'").markup == "\\&.jpg or \\(aqx\\(aq\n")
    let words = Array(repeating: ".png", count: 40).joined(separator: " ")
    let lines = Roff(paragraph: words).markup.split(separator: "\n")
    #expect(lines.count > 2)
    #expect(lines.allSatisfy { $0.hasPrefix("\\&.png ") && $0.count <= 82 })
  }
}
