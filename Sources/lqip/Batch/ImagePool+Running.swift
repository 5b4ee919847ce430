internal import LqipFiles

extension ImagePool {
  /// A piece of work that a thread is at.
  struct Running {
    let work: Work
    /// The time of the thread that is at it.
    let clock = ThreadClock()
    /// Since when it waits for the system or decodes; nil while it waits for others.
    var since: ContinuousClock.Instant? {
      didSet { stalled = .zero }
    }
    /// How long it has been seen to do nothing.
    var stalled = Duration.zero
    private var time: Duration?
    var holdsSlot = false
    /// Whether it was read at once and had to wait for a core all the same.
    var isSurplus = false
    var byteCount = 0
    private let start = ContinuousClock.now
    private let startTime: Duration

    init(_ work: Work) {
      self.work = work
      since = .now
      startTime = clock.time
    }

    /// Whether its thread has waited for so long that another may read meanwhile.
    var hasWaited: Bool {
      start.duration(to: .now) - (clock.time - startTime) > .microseconds(200)
    }

    /// Notes that some time has passed.
    ///
    /// A thread that works on a busy machine gets a little of the processor's time, and one that waits
    /// for a disk none.
    mutating func pass(_ duration: Duration) {
      guard since != nil else { return }
      let now = clock.time
      stalled = time == now ? stalled + duration : .zero
      time = now
    }
  }

  /// The cores that are free to decode.
  struct Slots {
    var free: Int
    var waiters = 0
  }
}
