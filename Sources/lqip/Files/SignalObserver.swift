internal import Synchronization

/// Observes SIGINT, SIGTERM and SIGHUP, which then no longer end the program.
///
/// The first signal is reported, and a second one ends the program at once. A service takes SIGHUP
/// for something else: that its settings are to be read again.
package final class SignalObserver: Sendable {
  /// Where the handler of the signals writes their numbers.
  ///
  /// To wait for them with `sigwait`, every thread would have to block them, those of libraries too.
  private static let outlet = Atomic<Int32>(-1)

  private let number = Monitor<Int32?>(nil)
  private let action = Monitor<(@Sendable () -> Void)?>(nil)
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
    number.withLock { $0 }
  }

  /// Blocks the thread until the first signal.
  package func wait() {
    _ = number.wait(until: nil) { $0 }
  }

  /// Calls a function on the first signal, on another thread; nil for none.
  package func onSignal(_ body: (@Sendable () -> Void)?) {
    action.withLock { $0 = body }
  }

  private func take(_ signal: Int32) {
    if signal == SIGHUP, let reload { return reload() }
    let isFirst = number.update { number in
      defer { number = number ?? signal }
      return number == nil
    }
    guard isFirst else { _exit(128 + signal) }
    action.withLock { $0 }?()
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
