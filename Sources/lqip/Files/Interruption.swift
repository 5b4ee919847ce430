import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Somebody's wish that the program end: SIGINT or SIGTERM, which from now on do not end it.
final class Interruption: Sendable {
  /// Where the handler of the signals writes their numbers.
  ///
  /// They cannot be waited for with `sigwait`: while tasks run, libdispatch keeps the main thread
  /// waiting for any signal.
  private static let outlet = Atomic<Int32>(-1)

  private let number = Mutex<Int32?>(nil)
  private let action = Mutex<(@Sendable () -> Void)?>(nil)

  /// Begins to listen for the signals; of one object at a time only.
  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check { unsafe pipe(&ends) }
    let inlet = ends[0]
    Self.outlet.store(ends[1], ordering: .relaxed)
    SystemThread.start { [self] in
      var byte: UInt8 = 0
      while (try? SystemError.check { unsafe read(inlet, &byte, 1) }) == 1 { take(Int32(byte)) }
    }
    for number in [SIGINT, SIGTERM] where !Self.isIgnored(number) {
      signal(number) { number in
        let interruptedError = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(Interruption.outlet.load(ordering: .relaxed), &byte, 1)
        errno = interruptedError
      }
    }
  }

  /// The number of the first signal that came.
  var received: Int32? {
    number.withLock { $0 }
  }

  /// Calls a function when the first signal comes, on another thread; nil for none.
  func onSignal(_ body: (@Sendable () -> Void)?) {
    action.withLock { $0 = body }
  }

  /// Whoever asks twice wants no more of it.
  private func take(_ signal: Int32) {
    let isFirst = number.withLock { number in
      defer { number = number ?? signal }
      return number == nil
    }
    guard isFirst else { _exit(128 + signal) }
    action.withLock { $0 }?()
  }

  /// A background job of a shell without job control has SIGINT ignored, and wants it so.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(signal, nil, &action)
    #if canImport(Glibc)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #else
    return unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #endif
  }
}
