import LqipSystem

/// Bounds the memory that bodies take together, however many clients send at once.
final class BodyBudget: Sendable {
  /// Up to this size a body may take from what is kept for small ones.
  private static let smallByteCount = 1 << 20
  /// How long a body waits for others to give back what it needs.
  private static let gracePeriod = Duration.milliseconds(500)

  private let byteCount: Int
  private let remaining: Monitor<Int>
  /// What only small bodies may take.
  private let reserve: Int

  /// Prepares a budget.
  ///
  /// - Parameters:
  ///   - byteCount: What there is.
  ///   - largest: What a single body may take, which fits whenever no other is there.
  init(byteCount: Int, largest: Int) {
    self.byteCount = byteCount
    remaining = Monitor(byteCount)
    reserve = max(0, min(byteCount / 8, byteCount - largest))
  }

  /// Takes bytes out, if there are enough.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - taken: How many the same body has taken before.
  ///   - waiting: Called with true if there are not enough, before waiting for a moment, and with false after.
  /// - Returns: Whether they were taken.
  func take(_ count: Int, after taken: Int = 0, waiting: (Bool) -> Void = { _ in }) -> Bool {
    let least = taken + count <= Self.smallByteCount ? 0 : reserve
    let isTaken = { (remaining: inout Int) -> Bool? in
      guard remaining - count >= least else { return nil }
      remaining -= count
      return true
    }
    if remaining.withLock(isTaken) != nil { return true }
    waiting(true)
    defer { waiting(false) }
    return remaining.wait(until: .now + Self.gracePeriod, for: isTaken) ?? false
  }

  /// How many bytes are taken.
  var heldByteCount: Int { byteCount - remaining.withLock(\.self) }

  /// Puts bytes back.
  func release(_ count: Int) {
    guard count > 0 else { return }
    remaining.update { $0 += count }
  }
}
