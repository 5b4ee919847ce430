import PlaceholdersTestSupport
import Testing

@testable import LqipBatch
@testable import LqipFiles

@Suite struct ProgressStyleTests {
  private let capable = Terminal(type: "xterm", noColor: nil)

  @Test func `a terminal has a line, in color unless the user wants none`() {
    for mode in [ProgressMode.auto, .always] {
      #expect(
        ProgressStyle(mode, on: capable, sharesTerminal: false) == .line(inColor: true))
      let gray = Terminal(type: "xterm", noColor: "1")
      #expect(ProgressStyle(mode, on: gray, sharesTerminal: false) == .line(inColor: false))
    }
  }

  @Test func `where a line cannot be drawn there is a log`() {
    for mode in [ProgressMode.auto, .always] {
      let dumb = Terminal(type: "dumb", noColor: nil)
      #expect(ProgressStyle(mode, on: nil, sharesTerminal: false) == .log(every: .seconds(5)))
      #expect(ProgressStyle(mode, on: dumb, sharesTerminal: false) == .log(every: .seconds(5)))
      #expect(ProgressStyle(mode, on: capable, sharesTerminal: true) == .log(every: .seconds(5)))
    }
  }

  @Test func `never is silent`() {
    #expect(ProgressStyle(.never, on: capable, sharesTerminal: false) == .silent)
    #expect(ProgressStyle(.never, on: nil, sharesTerminal: false) == .silent)
  }
}
