/// A dedicated thread for blocking work, because Swift's cooperative pool has only one thread per core.
package enum SystemThread {
  private final class Job: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Calls `body` on a new thread (`pthread_create`).
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    #if canImport(Glibc)
    var handle = pthread_t()
    #else
    var handle: pthread_t?
    #endif
    let job = unsafe Unmanaged.passRetained(Job(body))
    let result = unsafe pthread_create(
      &handle, nil,
      { job in
        if let job = unsafe job {
          unsafe Unmanaged<Job>.fromOpaque(job).takeRetainedValue().body()
        }
        return nil
      }, job.toOpaque())
    guard result == 0, let handle = handle as pthread_t? else {
      unsafe job.release()
      throw SystemError(number: result)
    }
    pthread_detach(handle)
  }

  /// Starts up to `count` threads at once, ends them, and returns how many could be started.
  static func countStartable(upTo count: Int) -> Int {
    let state = Monitor((running: 0, isDone: false))
    var started = 0
    let body: @Sendable () -> Void = {
      _ = state.wait(until: nil) { $0.isDone ? true : nil }
      state.update { $0.running -= 1 }
    }
    while started < count, (try? start(body)) != nil { started += 1 }
    state.update { $0 = (running: $0.running + started, isDone: true) }
    _ = state.wait(until: nil) { $0.running == 0 ? true : nil }
    return started
  }

  /// Blocks the current thread for a duration (`nanosleep`).
  package static func sleep(for duration: Duration) {
    var time = timespec(duration)
    var rest = timespec()
    while unsafe nanosleep(&time, &rest) == -1, errno == EINTR { time = rest }
  }
}
