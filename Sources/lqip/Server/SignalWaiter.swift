#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Receives the signals that a service is led with, on the thread that waits for them.
@safe struct SignalWaiter {
  /// What a signal asks for.
  enum Event: Hashable, Sendable {
    case terminate(Int32)
    case reload
  }

  private var signals = sigset_t()

  /// Blocks the signals; threads that are started later inherit that.
  init() {
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for the next signal.
  func wait() -> Event {
    var signals = signals
    var signal: Int32 = 0
    while unsafe sigwait(&signals, &signal) != 0 {}
    return signal == SIGHUP ? .reload : .terminate(signal)
  }
}
