/// A value that is shared between threads, with a lock and a condition variable.
///
/// Unlike `Mutex`, its lock is visible to ThreadSanitizer.
@safe package final class Monitor<Value: ~Copyable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: consuming sending Value) {
    self.value = value
    unsafe pthread_mutex_init(mutex, nil)
    #if !canImport(Darwin)
    // Use the monotonic clock, so that setting the system time does not move deadlines.
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(changed, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
    #else
    unsafe pthread_cond_init(changed, nil)
    #endif
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Reads or changes the value without waking waiting threads.
  package func withLock<Result: ~Copyable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Changes the value and wakes all waiting threads.
  package func update<Result>(_ body: (inout Value) -> Result) -> Result {
    withLock { value in
      defer { unsafe pthread_cond_broadcast(changed) }
      return body(&value)
    }
  }

  /// Calls `body` after each change of the value until it returns a result; returns `nil` at the deadline, if any.
  package func wait<Result>(
    until deadline: MonotonicTime?, for body: (inout Value) -> Result?
  ) -> Result? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      // Access to `value` must end before this thread sleeps and other threads change it.
      if let result = body(&value) { return result }
      guard sleep(until: deadline) else { return body(&value) }
    }
  }

  /// Waits without the lock until the value changes or the deadline passes; returns `false` if the deadline has already
  /// passed.
  private func sleep(until deadline: MonotonicTime?) -> Bool {
    guard let deadline else {
      unsafe pthread_cond_wait(changed, mutex)
      return true
    }
    let remaining = deadline - .now
    guard remaining > .zero else { return false }
    #if canImport(Darwin)
    var time = timespec(remaining)
    unsafe pthread_cond_timedwait_relative_np(changed, mutex, &time)
    #else
    var time = timespec(deadline.sinceStart)
    unsafe pthread_cond_timedwait(changed, mutex, &time)
    #endif
    return true
  }
}
