import LqipSystem

/// A collector for the pieces of a body, with a size limit.
///
/// libmicrohttpd accepts a response only after the complete body. Bytes above the limit are
/// therefore discarded, up to twice the limit; then the connection is closed.
final class RequestCollector {
  /// The minimum capacity for a body in bytes.
  private static let minimumCapacity = 4 << 10

  private let maximum: Int
  /// The maximum capacity that the body can need, in bytes.
  private let maximumCapacity: Int
  private let budget: BodyBudget
  /// Called with true when the client starts to wait for memory, and with false afterwards.
  private let waiting: (Bool) -> Void
  /// The body so far, whose capacity is taken from the budget; empty once the body is rejected.
  let bytes = BodyBytes()
  /// The number of received bytes.
  private(set) var byteCount = 0
  /// The reason for discarding the body, if any.
  private(set) var refusal: Problem?

  /// Creates a collector.
  ///
  /// - Parameters:
  ///   - length: The stated length in bytes, within the limit; nil if unknown.
  ///   - maximum: The maximum size of the body in bytes.
  ///   - budget: The memory budget of all bodies.
  ///   - waiting: Called with true when the client starts to wait for memory, and with false
  ///     afterwards.
  init(
    expecting length: Int?, maximum: Int, budget: BodyBudget,
    waiting: @escaping (Bool) -> Void = { _ in }
  ) {
    self.maximum = maximum
    maximumCapacity = min(length ?? maximum, maximum)
    self.budget = budget
    self.waiting = waiting
  }

  deinit { budget.release(bytes.capacity) }

  /// Appends a piece, and returns whether to continue reading.
  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    byteCount += piece.count
    guard byteCount <= maximum else {
      refuse(Self.tooLarge(maximum))
      return byteCount - maximum <= maximum
    }
    guard refusal == nil else { return true }
    guard makeRoom(for: piece.count) else { return true }
    unsafe bytes.append(piece)
    return true
  }

  /// Makes room for more bytes, or rejects the body.
  ///
  /// The capacity grows with the received bytes, because a client may announce more than it sends.
  private func makeRoom(for count: Int) -> Bool {
    let (room, needed) = (bytes.capacity, bytes.count + count)
    guard needed > room else { return true }
    let capacity = max(needed, min(maximumCapacity, max(Self.minimumCapacity, 2 * room)))
    guard budget.take(capacity - room, after: room, waiting: waiting) else {
      refuse(.busy("too many uploads in flight"))
      return false
    }
    guard bytes.reserve(capacity) else {
      budget.release(capacity - room)
      refuse(.busy("not enough memory for the request body"))
      return false
    }
    return true
  }

  /// Returns the problem for a body above the limit.
  static func tooLarge(_ maximum: Int) -> Problem {
    Problem(
      status: 413, code: "too_large", detail: "the body exceeds \(ByteCount.text(maximum))")
  }

  private func refuse(_ problem: Problem) {
    refusal = refusal ?? problem
    budget.release(bytes.capacity)
    bytes.removeAll()
  }
}

/// A byte buffer that survives a failed allocation; with an array, the process would end.
///
/// Sending it between threads is safe because one thread writes all bytes before others read them.
@safe final class BodyBytes: @unchecked Sendable {
  private var start: UnsafeMutableRawPointer?
  /// The number of bytes.
  private(set) var count = 0
  /// The allocated size in bytes.
  private(set) var capacity = 0

  deinit { unsafe free(start) }

  /// Grows the buffer; the corresponding C function is `realloc`.
  ///
  /// - Parameter capacity: The new capacity, at least `count`.
  /// - Returns: Whether the allocation succeeded; if not, the buffer is unchanged.
  func reserve(_ capacity: Int) -> Bool {
    precondition(capacity >= count)
    guard capacity > 0, let memory = unsafe realloc(start, capacity) else { return capacity == 0 }
    unsafe start = memory
    self.capacity = capacity
    return true
  }

  /// Appends bytes that fit into the capacity.
  func append(_ piece: UnsafeRawBufferPointer) {
    precondition(piece.count <= capacity - count)
    guard let start = unsafe start, let first = piece.baseAddress else { return }
    unsafe (start + count).copyMemory(from: first, byteCount: piece.count)
    count += piece.count
  }

  /// Frees the memory.
  func removeAll() {
    unsafe free(start)
    unsafe start = nil
    count = 0
    capacity = 0
  }

  /// Calls `body` with the bytes.
  func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return try body(unsafe bytes.bindMemory(to: UInt8.self).span)
  }
}
