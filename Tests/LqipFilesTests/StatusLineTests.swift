import PlaceholdersTestSupport
import Testing

@testable import LqipFiles

@Suite struct StatusLineTests {
  private var status = StatusLine()

  @Test mutating func `a line is drawn over the last, and only when it changed`() {
    #expect(status.show("one") == "\rone\u{1B}[K")
    #expect(status.show("one") == "")
    #expect(status.show("two") == "\rtwo\u{1B}[K")
    #expect(status.show("") == "\r\u{1B}[K")
    #expect(status.show("") == "")
  }

  @Test mutating func `what is printed goes above the line`() {
    #expect(status.print("before") == "before\n")
    _ = status.show("one")
    #expect(status.print("between") == "\r\u{1B}[Kbetween\none")
    _ = status.show("")
    #expect(status.print("after") == "after\n")
  }
}
