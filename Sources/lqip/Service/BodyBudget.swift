internal import LqipFiles

/// Bounds the memory that bodies take together, however many clients send at once.
final class BodyBudget: Sendable {
  private let remaining: Monitor<Int>

  init(byteCount: Int) {
    remaining = Monitor(byteCount)
  }

  /// Takes bytes out, or tells that there are not enough.
  func take(_ count: Int) -> Bool {
    remaining.withLock { remaining in
      guard remaining >= count else { return false }
      remaining -= count
      return true
    }
  }

  /// Puts bytes back.
  func give(_ count: Int) {
    remaining.withLock { $0 += count }
  }
}
