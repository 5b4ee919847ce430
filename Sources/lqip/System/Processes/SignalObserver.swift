import Synchronization

/// Replaces the default handling of SIGINT, SIGTERM and SIGHUP.
///
/// The first signal calls the function set by ``onSignal(_:)``. Another signal ends the program immediately, except a
/// SIGTERM within one second of the first SIGTERM. With a reload handler, SIGHUP only calls that handler. Signals that
/// were ignored at startup stay ignored.
package final class SignalObserver: Sendable {
  /// The write end of the pipe to which the signal handler writes signal numbers.
  ///
  /// `sigwait` is not an alternative: all threads, including those of libraries, would have to block the signals.
  private static let writeEnd = Atomic<Int32>(-1)
  /// The period during which a repeated SIGTERM is ignored, because a supervisor may send it more than once.
  private static let repeatTime = Duration.seconds(1)

  private struct State {
    /// The first signal, which was received at `start`; `nil` if no signal has been received.
    var number: Int32?
    var start = MonotonicTime.now
    var action: (@Sendable (_ number: Int32) -> Void)?
    var isObserved = false
  }

  private let state = Monitor(State())
  private let reload: (@Sendable () -> Void)?
  private let patience: Duration?

  /// Installs the signal handlers.
  ///
  /// Only one observer may exist at a time.
  ///
  /// - Parameters:
  ///   - reload: Called for each SIGHUP, on another thread; `nil` to treat SIGHUP like SIGTERM.
  ///   - patience: The time after the first signal at which the program ends if ``onSignal(_:)`` has never been called,
  ///     for example because a disk hangs; `nil` for no limit.
  /// - Throws: The system's error if no pipe or thread can be created.
  package init(
    reload: (@Sendable () -> Void)? = nil, patience: Duration? = nil
  ) throws(SystemError) {
    (self.reload, self.patience) = (reload, patience)
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check { unsafe pipe(&ends) }
    let readEnd = ends[0]
    Self.writeEnd.store(ends[1], ordering: .relaxed)
    let observed = [SIGINT, SIGTERM, SIGHUP]
    try SystemThread.start { [self] in
      // The inherited signal mask may block the signals. Unblocking them in one thread is enough.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      for signal in observed { unsafe sigaddset(&signals, signal) }
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      var byte: UInt8 = 0
      while (try? SystemError.check { unsafe read(readEnd, &byte, 1) }) == 1 { handle(Int32(byte)) }
    }
    for number in observed where !Self.isIgnored(number) {
      signal(number) { number in
        let interruptedError = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(SignalObserver.writeEnd.load(ordering: .relaxed), &byte, 1)
        errno = interruptedError
      }
    }
  }

  /// The number of the first signal; `nil` if no signal has been received.
  package var received: Int32? {
    state.withLock { $0.number }
  }

  /// Blocks the current thread until the first signal is received.
  package func wait() {
    _ = state.wait(until: nil) { $0.number }
  }

  /// Sets the function to call with the first signal, on another thread; `nil` for none.
  ///
  /// If a signal has already been received, the function is called immediately on the current thread.
  package func onSignal(_ body: (@Sendable (_ number: Int32) -> Void)?) {
    let received = state.update { state in
      state.action = body
      state.isObserved = true
      return state.number
    }
    if let received { body?(received) }
  }

  private func handle(_ signal: Int32) {
    if signal == SIGHUP, let reload { return reload() }
    let now = MonotonicTime.now
    let (isAccepted, action) = state.update { state in
      guard let first = state.number else {
        (state.number, state.start) = (signal, now)
        return (true, state.action)
      }
      let isRepeat = signal == SIGTERM && first == signal && now - state.start < Self.repeatTime
      return (isRepeat, nil)
    }
    guard isAccepted else { _exit(128 + signal) }
    action?(signal)
    guard let patience else { return }
    if state.wait(until: now + patience, for: { $0.isObserved ? true : nil }) == nil {
      _exit(128 + signal)
    }
  }

  /// Returns whether the signal was ignored at startup, as in background jobs of shells without job control.
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
