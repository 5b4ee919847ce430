#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A thread of its own for what waits: the threads that tasks share are as many as there are cores.
enum SystemThread {
  /// Runs a function on a new thread; the corresponding C function is `pthread_create`.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let context = unsafe Unmanaged.passRetained(Body(run: body)).toOpaque()
    #if canImport(Glibc)
    var thread = pthread_t()
    let number = unsafe pthread_create(&thread, nil, { unsafe SystemThread.main($0) }, context)
    #else
    var thread: pthread_t?
    let number = unsafe pthread_create(&thread, nil, { unsafe SystemThread.main($0) }, context)
    #endif
    guard number == 0, let thread = Optional(thread) else {
      preconditionFailure("no thread: \(SystemError(number: number))")
    }
    pthread_detach(thread)
  }

  /// Waits; the corresponding C function is `nanosleep`.
  static func sleep(for duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var rest = timespec()
    while unsafe nanosleep(&time, &rest) == -1, errno == EINTR { time = rest }
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
}
