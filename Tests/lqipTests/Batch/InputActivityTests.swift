import Testing

@testable import lqip
@testable import LqipSystem

@Suite struct InputActivityTests {
  @Test func `a call that takes more than 10 seconds is reported once, with its path`() {
    let activity = InputActivity()
    let start = MonotonicTime.now
    #expect(activity.hungPath(at: start) == nil)
    for name in ["a", "b"] {
      activity.perform(on: FilePath(name)) {
        let times = [0, 9, 10, 11, 100].map { activity.hungPath(at: start + .seconds($0)) }
        #expect(times == [nil, nil, FilePath(name), nil, nil])
      }
      #expect(activity.hungPath(at: start + .seconds(200)) == nil)
    }
  }

  @Test func `calls that return in time are not reported`() {
    let activity = InputActivity()
    for second in 0..<30 {
      activity.perform(on: FilePath("a")) {
        #expect(activity.hungPath(at: .now + .seconds(second)) == nil)
      }
    }
  }
}
