import LqipSystem

/// A limit on the total memory of all request bodies.
final class BodyBudget: Sendable {
  /// The maximum size of a body that may use the reserve.
  private static let smallByteCount = 1 << 20
  /// The maximum wait for other bodies to release memory.
  private static let maximumWait = Duration.milliseconds(500)

  private let byteCount: Int
  private let remaining: Monitor<Int>
  /// The number of bytes reserved for small bodies.
  private let reserve: Int

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - byteCount: The total number of bytes.
  ///   - largest: The maximum size of a body, which always fits if there is no other body.
  init(byteCount: Int, largest: Int) {
    self.byteCount = byteCount
    remaining = Monitor(byteCount)
    reserve = max(0, min(byteCount / 8, byteCount - largest))
  }

  /// Takes bytes from the budget, if enough are available.
  ///
  /// - Parameters:
  ///   - count: The number of bytes to take.
  ///   - taken: The number of bytes that the same body has already taken.
  ///   - waiting: Called with true before waiting for memory, and with false afterwards.
  /// - Returns: Whether the bytes were taken.
  func take(_ count: Int, after taken: Int = 0, waiting: (Bool) -> Void = { _ in }) -> Bool {
    let minimumRemaining = taken + count <= Self.smallByteCount ? 0 : reserve
    let isTaken = { (remaining: inout Int) -> Bool? in
      guard remaining - count >= minimumRemaining else { return nil }
      remaining -= count
      return true
    }
    if remaining.withLock(isTaken) != nil { return true }
    waiting(true)
    defer { waiting(false) }
    return remaining.wait(until: .now + Self.maximumWait, for: isTaken) ?? false
  }

  /// The number of bytes in use.
  var heldByteCount: Int { byteCount - remaining.withLock(\.self) }

  /// Returns bytes to the budget.
  func release(_ count: Int) {
    guard count > 0 else { return }
    remaining.update { $0 += count }
  }
}
