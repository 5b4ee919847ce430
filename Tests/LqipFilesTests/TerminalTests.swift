import PlaceholdersTestSupport
import Testing

@testable import LqipFiles

@Suite struct TerminalTests {
  @Test(
    arguments: [
      ("xterm-256color", nil, true, true), ("xterm", "", true, true), ("xterm", "1", true, false),
      ("xterm", "0", true, false), ("dumb", nil, false, false), ("", nil, false, false),
      (nil, nil, false, false),
    ] as [(String?, String?, Bool, Bool)])
  func `the environment says what a terminal can do`(
    type: String?, noColor: String?, canErase: Bool, hasColor: Bool
  ) {
    let terminal = Terminal(type: type, noColor: noColor)
    #expect(terminal.canErase == canErase)
    #expect(terminal.hasColor == hasColor)
  }
}
