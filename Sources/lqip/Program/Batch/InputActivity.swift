import LqipSystem

/// The file or directory that the input thread is looking at, so that another thread can name it if the call hangs.
final class InputActivity: Sendable {
  private struct State {
    var path: FilePath?
    /// The number of calls so far.
    var count = 0
    /// The call that was in progress at the last check, and the time of the first check that found it.
    var watched = (count: 0, start: MonotonicTime.now)
  }

  /// The time after which a call counts as hung.
  private static let patience = Duration.seconds(10)

  private let state = Monitor(State())

  /// Calls `body`, which accesses the given path.
  func perform<Result: ~Copyable, Failure>(
    on path: FilePath, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    state.withLock { state in
      state.path = path
      state.count += 1
    }
    defer { state.withLock { $0.path = nil } }
    return try body()
  }

  /// Returns the path of a call that hangs, once for each call.
  func hungPath(at now: MonotonicTime = .now) -> FilePath? {
    state.withLock { state in
      guard let path = state.path else { return nil }
      if state.watched.count != state.count { state.watched = (state.count, now) }
      guard now - state.watched.start >= Self.patience else { return nil }
      // The next report of this call is never due.
      state.watched.start = now + .seconds(1 << 40)
      return path
    }
  }
}
