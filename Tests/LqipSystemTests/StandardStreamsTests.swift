import Testing

@testable import LqipSystem

@Suite struct StatusLineTests {
  private var status = StatusLine()

  @Test
  mutating func `the status line is redrawn when it changes, and stays below printed lines`() {
    #expect(status.print("before") == "before\n")
    #expect(status.show("one") == "\rone\u{1B}[K")
    #expect(status.show("one") == "")
    #expect(status.print("between") == "\r\u{1B}[Kbetween\none")
    #expect(status.show("two") == "\rtwo\u{1B}[K")
    #expect(status.show("") == "\r\u{1B}[K")
    #expect(status.show("") == "")
    #expect(status.print("after") == "after\n")
  }
}

@Suite struct TerminalTests {
  @Test(
    arguments: [
      ("xterm-256color", nil, true, true), ("xterm", "", true, true), ("xterm", "1", true, false),
      ("xterm", "0", true, false), ("dumb", nil, false, false), ("", nil, false, false),
      (nil, nil, false, false),
    ] as [(String?, String?, Bool, Bool)])
  func `TERM and NO_COLOR determine a terminal's capabilities`(
    type: String?, noColor: String?, canErase: Bool, hasColor: Bool
  ) {
    let terminal = Terminal(type: type, noColor: noColor)
    #expect(terminal.canErase == canErase)
    #expect(terminal.hasColor == hasColor)
  }
}
