/// A time on a clock that never goes back (`CLOCK_MONOTONIC`).
///
/// Unlike `ContinuousClock`, it does not link Swift's concurrency library and libdispatch, which would make the
/// program larger and slower to start.
package struct MonotonicTime: Hashable, Comparable, Sendable {
  /// The time since an arbitrary start.
  let sinceStart: Duration

  /// The current time.
  package static var now: MonotonicTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(sinceStart: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }

  package static func < (first: MonotonicTime, second: MonotonicTime) -> Bool {
    first.sinceStart < second.sinceStart
  }

  package static func - (end: MonotonicTime, start: MonotonicTime) -> Duration {
    end.sinceStart - start.sinceStart
  }

  package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    MonotonicTime(sinceStart: time.sinceStart + duration)
  }

  package static func += (time: inout MonotonicTime, duration: Duration) {
    time = time + duration
  }
}

extension timespec {
  /// Converts a nonnegative duration.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  }
}
