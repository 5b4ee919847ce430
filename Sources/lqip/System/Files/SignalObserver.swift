import Synchronization

/// Observes SIGINT, SIGTERM and SIGHUP, which then no longer end the program.
///
/// The first signal is reported, and a second one ends the program at once. A service takes SIGHUP
/// for something else: that its settings are to be read again.
package final class SignalObserver: Sendable {
  /// Where the handler of the signals writes their numbers.
  ///
  /// To wait for them with `sigwait`, every thread would have to block them, those of libraries too.
  private static let outlet = Atomic<Int32>(-1)
  /// A supervisor may send SIGTERM more than once, and mean it once.
  private static let repeatTime = Duration.seconds(1)

  private struct State {
    /// The number of the first signal, and when it came.
    var number: Int32?
    var start = ContinuousClock.now
    var action: (@Sendable () -> Void)?
  }

  private let state = Monitor(State())
  private let reload: (@Sendable () -> Void)?

  /// Starts to observe; only one object at a time.
  ///
  /// - Parameter reload: Called for each SIGHUP, on another thread; nil if that is to end the work.
  /// - Throws: That the system has no pipe or no thread left.
  package init(reload: (@Sendable () -> Void)? = nil) throws(SystemError) {
    self.reload = reload
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check { unsafe pipe(&ends) }
    let inlet = ends[0]
    Self.outlet.store(ends[1], ordering: .relaxed)
    let observed = [SIGINT, SIGTERM, SIGHUP]
    _ = try SystemThread { [self] in
      // The mask of the parent may block them for all threads but this one.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      for signal in observed { unsafe sigaddset(&signals, signal) }
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      var byte: UInt8 = 0
      while (try? SystemError.check { unsafe read(inlet, &byte, 1) }) == 1 { take(Int32(byte)) }
    }
    for number in observed where !Self.isIgnored(number) {
      signal(number) { number in
        let interruptedError = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(SignalObserver.outlet.load(ordering: .relaxed), &byte, 1)
        errno = interruptedError
      }
    }
  }

  /// The number of the first signal; nil before.
  package var received: Int32? {
    state.withLock { $0.number }
  }

  /// Blocks the thread until the first signal.
  package func wait() {
    _ = state.wait(until: nil) { $0.number }
  }

  /// Calls a function on the first signal, on another thread, or at once if that has come before; nil
  /// for none.
  package func onSignal(_ body: (@Sendable () -> Void)?) {
    let isLate = state.withLock { state in
      state.action = body
      return state.number != nil
    }
    if isLate { body?() }
  }

  /// Ends the program at once when a signal comes, or if one has come, as long as nothing else is set.
  ///
  /// - Parameter cleanUp: What is done before, possibly on another thread.
  package func exitOnSignal(_ cleanUp: @escaping @Sendable () -> Void) {
    let end: @Sendable (Int32) -> Never = { signal in
      cleanUp()
      _exit(128 + signal)
    }
    onSignal { [self] in end(received ?? SIGTERM) }
  }

  private func take(_ signal: Int32) {
    if signal == SIGHUP, let reload { return reload() }
    let now = ContinuousClock.now
    let (isFirst, isRepeat, action) = state.update { state in
      guard let first = state.number else {
        (state.number, state.start) = (signal, now)
        return (true, false, state.action)
      }
      return (
        false, signal == SIGTERM && first == signal && now - state.start < Self.repeatTime, nil
      )
    }
    guard isFirst || isRepeat else { _exit(128 + signal) }
    action?()
  }

  /// Whether the parent process has the signal ignored, as a shell without job control does for
  /// background jobs.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(signal, nil, &action)
    #if canImport(Darwin)
    return unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #else
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #endif
  }
}
