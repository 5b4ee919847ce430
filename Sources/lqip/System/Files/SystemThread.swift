/// A thread of its own for what waits: the threads that tasks share are as many as there are cores.
@safe package struct SystemThread: ~Copyable, Sendable {
  private final class Job: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  private let handle: pthread_t

  package init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    #if canImport(Glibc) || canImport(Android)
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
    self.handle = handle
  }

  deinit { pthread_detach(handle) }

  /// Waits; the corresponding C function is `nanosleep`.
  package static func sleep(for duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var rest = timespec()
    while unsafe nanosleep(&time, &rest) == -1, errno == EINTR { time = rest }
  }

  /// Waits for the thread's end.
  package consuming func join() {
    pthread_join(handle, nil)
    discard self
  }
}
