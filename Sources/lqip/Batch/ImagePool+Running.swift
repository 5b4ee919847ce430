extension ImagePool {
  /// A piece of work that a thread is at.
  struct Running {
    let work: Work
    /// Since when it waits for the system or decodes; nil while it waits for others.
    var since: ContinuousClock.Instant?
    var holdsSlot = false
    var byteCount = 0
  }

  /// The cores that are free to decode.
  struct Slots {
    var free: Int
    var waiters = 0
  }
}
