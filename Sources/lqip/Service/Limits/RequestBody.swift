import LqipSystem

/// A request body with a size limit; its memory counts toward the budget shared by all bodies.
///
/// libmicrohttpd accepts a response only after the complete body. Bytes above the limit are
/// therefore discarded; beyond twice the limit, the connection is closed.
@safe final class RequestBody {
  /// The minimum capacity of the buffer in bytes, unless `maximumCapacity` is smaller.
  private static let minimumCapacity = 4 << 10

  private let maximum: Int
  /// The maximum capacity of the buffer in bytes: the stated length, if known, or the size limit.
  private let maximumCapacity: Int
  private let budget: BodyBudget
  private let onWait: (Bool) -> Void
  /// The buffer; with an array, a failed allocation would end the process.
  private var start: UnsafeMutableRawPointer?
  /// The allocated size in bytes.
  private(set) var capacity = 0
  /// The number of received bytes.
  private var count = 0
  /// The reason for discarding the body, if any.
  private(set) var refusal: Problem?

  /// Creates an empty body.
  ///
  /// - Parameters:
  ///   - length: The stated length in bytes, within the limit; `nil` if unknown.
  ///   - maximum: The maximum size of the body in bytes.
  ///   - budget: The memory budget of all bodies.
  ///   - onWait: Called with true before the body waits for memory, and with false afterwards.
  init(
    expecting length: Int?, maximum: Int, budget: BodyBudget,
    onWait: @escaping (Bool) -> Void = { _ in }
  ) {
    self.maximum = maximum
    maximumCapacity = length ?? maximum
    self.budget = budget
    self.onWait = onWait
  }

  deinit { release() }

  /// Appends a piece, waiting for memory if necessary, and returns whether to continue reading.
  func append(_ piece: UnsafeRawBufferPointer) -> Bool {
    let end = count
    count += piece.count
    if refusal == nil {
      refusal = count > maximum ? Self.tooLarge(maximum) : grow(toHold: count)
      if refusal != nil { release() }
    }
    if refusal == nil, let start = unsafe start, let first = piece.baseAddress {
      unsafe (start + end).copyMemory(from: first, byteCount: piece.count)
    }
    return count - maximum <= maximum
  }

  /// Grows the buffer to hold at least `needed` bytes, waiting for memory if necessary; returns a
  /// problem if this fails.
  ///
  /// The capacity grows with the received bytes, because a client may announce more than it sends.
  private func grow(toHold needed: Int) -> Problem? {
    guard needed > capacity else { return nil }
    let new = max(needed, min(maximumCapacity, max(Self.minimumCapacity, 2 * capacity)))
    guard budget.reserve(new - capacity, after: capacity, onWait: onWait) else {
      return .busy("too many uploads in flight")
    }
    guard let memory = unsafe realloc(start, new) else {
      budget.release(new - capacity)
      return .busy("not enough memory for the request body")
    }
    unsafe start = memory
    capacity = new
    return nil
  }

  private func release() {
    unsafe free(start)
    unsafe start = nil
    budget.release(capacity)
    capacity = 0
  }

  /// Calls `body` with the received bytes; the request body must not have been refused.
  func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(count <= capacity)
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return try body(unsafe bytes.bindMemory(to: UInt8.self).span)
  }

  /// Returns the problem for a body above the limit.
  static func tooLarge(_ maximum: Int) -> Problem {
    Problem(
      status: 413, code: "too_large", detail: "the body exceeds \(ByteCount.text(maximum))")
  }
}

/// A limit on the total memory of all request bodies.
final class BodyBudget: Sendable {
  /// The maximum size in bytes of a body that may use the reserve.
  private static let smallByteCount = 1 << 20
  /// The maximum wait for other bodies to release memory.
  private static let maximumWait = Duration.milliseconds(500)

  private let byteCount: Int
  private let remaining: Monitor<Int>
  /// The number of bytes reserved for small bodies.
  private let smallBodyReserve: Int

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - byteCount: The total number of bytes.
  ///   - largest: The maximum size of a body in bytes; such a body fits if there is no other.
  init(byteCount: Int, largest: Int) {
    self.byteCount = byteCount
    remaining = Monitor(byteCount)
    smallBodyReserve = max(0, min(byteCount / 8, byteCount - largest))
  }

  /// Reserves bytes, waiting briefly if not enough are available.
  ///
  /// - Parameters:
  ///   - count: The number of bytes to reserve.
  ///   - reserved: The number of bytes that are already reserved for the same body.
  ///   - onWait: Called with true before waiting for memory, and with false afterwards.
  /// - Returns: Whether the bytes were reserved; false if the wait timed out.
  func reserve(_ count: Int, after reserved: Int = 0, onWait: (Bool) -> Void = { _ in }) -> Bool {
    let minimumRemaining = reserved + count <= Self.smallByteCount ? 0 : smallBodyReserve
    let isReserved = { (remaining: inout Int) -> Bool? in
      guard remaining - count >= minimumRemaining else { return nil }
      remaining -= count
      return true
    }
    if remaining.withLock(isReserved) != nil { return true }
    onWait(true)
    defer { onWait(false) }
    return remaining.wait(until: .now + Self.maximumWait, for: isReserved) ?? false
  }

  /// The number of bytes in use.
  var heldByteCount: Int { byteCount - remaining.withLock(\.self) }

  /// Releases reserved bytes.
  func release(_ count: Int) {
    guard count > 0 else { return }
    remaining.update { $0 += count }
  }
}
