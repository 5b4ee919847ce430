import LqipSystem

/// A request body with a size limit; its memory counts toward the budget shared by all bodies.
@safe final class RequestBody {
  /// The minimum capacity of the buffer in bytes, unless `maximumCapacity` is smaller.
  private static let minimumCapacity = 64 << 10

  private let maximum: Int
  /// The maximum capacity of the buffer in bytes: the stated length, if known, or the size limit.
  private let maximumCapacity: Int
  private let budget: BodyBudget
  /// The buffer; with an array, a failed allocation would end the process.
  private var start: UnsafeMutableRawPointer?
  /// The allocated size in bytes.
  private(set) var capacity = 0
  private var count = 0

  /// Creates an empty body; `length` is the stated length, within the limit, or `nil` if unknown.
  init(expecting length: Int?, maximum: Int, budget: BodyBudget) {
    self.maximum = maximum
    maximumCapacity = length ?? maximum
    self.budget = budget
  }

  deinit {
    unsafe free(start)
    budget.release(capacity)
  }

  /// Appends a piece, waiting for memory if necessary; throws the reason to refuse the body.
  func append(_ piece: UnsafeRawBufferPointer) throws(Problem) {
    guard piece.count <= maximum - count else { throw Self.tooLarge(maximum) }
    try grow(toHold: count + piece.count)
    if let start = unsafe start, let first = piece.baseAddress {
      unsafe (start + count).copyMemory(from: first, byteCount: piece.count)
    }
    count += piece.count
  }

  /// Grows the buffer to hold at least `needed` bytes, waiting for memory if necessary.
  ///
  /// The capacity grows with the received bytes, because a client may announce more than it sends.
  private func grow(toHold needed: Int) throws(Problem) {
    guard needed > capacity else { return }
    let new = max(needed, min(maximumCapacity, max(Self.minimumCapacity, 2 * capacity)))
    guard budget.reserve(new - capacity, after: capacity) else {
      throw .busy("too many uploads in flight")
    }
    guard let memory = unsafe realloc(start, new) else {
      budget.release(new - capacity)
      throw .busy("not enough memory for the request body")
    }
    unsafe start = memory
    capacity = new
  }

  func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return try body(unsafe bytes.bindMemory(to: UInt8.self).span)
  }

  static func tooLarge(_ maximum: Int) -> Problem {
    Problem(status: 413, code: "too_large", detail: "the body exceeds \(ByteCount.text(maximum))")
  }
}

/// A limit on the total memory of all request bodies.
final class BodyBudget: Sendable {
  /// The maximum size in bytes of a body that may use the reserve.
  private static let smallByteCount = 1 << 20
  private static let maximumWait = Duration.milliseconds(500)

  private let byteCount: Int
  private let remaining: Monitor<Int>
  private let smallBodyReserve: Int

  /// Creates a budget; a body of `largest` bytes fits if there is no other.
  init(byteCount: Int, largest: Int = 0) {
    self.byteCount = byteCount
    remaining = Monitor(byteCount)
    smallBodyReserve = max(0, min(byteCount / 8, byteCount - largest))
  }

  var heldByteCount: Int { byteCount - remaining.withLock(\.self) }

  /// Reserves bytes for a body that already has `reserved` bytes, waiting briefly if not enough are available; returns
  /// false if the wait timed out.
  ///
  /// Without the wait, bodies that grow concurrently would all be refused when their sum reaches the limit.
  func reserve(_ count: Int, after reserved: Int = 0) -> Bool {
    let minimumRemaining = reserved + count <= Self.smallByteCount ? 0 : smallBodyReserve
    return remaining.wait(until: .now + Self.maximumWait) { remaining -> Bool? in
      guard remaining - count >= minimumRemaining else { return nil }
      remaining -= count
      return true
    } ?? false
  }

  func release(_ count: Int) { remaining.update { $0 += count } }
}
