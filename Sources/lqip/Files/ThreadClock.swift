/// The processor's time that a thread has used, as other threads can ask for it.
@safe package struct ThreadClock: Sendable {
  #if canImport(Darwin)
  private let port: mach_port_t
  #else
  private var clock = clockid_t()
  #endif

  /// The clock of the thread that calls; it is to be asked only for as long as that lives.
  package init() {
    #if canImport(Darwin)
    port = pthread_mach_thread_np(pthread_self())
    #else
    unsafe pthread_getcpuclockid(pthread_self(), &clock)
    #endif
  }

  /// The time until now.
  package var time: Duration {
    #if canImport(Darwin)
    var info = thread_basic_info()
    let size = MemoryLayout<thread_basic_info>.size / MemoryLayout<integer_t>.size
    var count = mach_msg_type_number_t(size)
    _ = unsafe withUnsafeMutablePointer(to: &info) { info in
      unsafe info.withMemoryRebound(to: integer_t.self, capacity: size) { info in
        unsafe thread_info(port, thread_flavor_t(THREAD_BASIC_INFO), info, &count)
      }
    }
    return [info.user_time, info.system_time].reduce(.zero) { sum, time in
      sum + .seconds(Int(time.seconds)) + .microseconds(Int(time.microseconds))
    }
    #else
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    #endif
  }
}
