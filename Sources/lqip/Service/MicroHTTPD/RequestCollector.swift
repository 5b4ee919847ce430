import LqipSystem

/// Collects a body piece by piece, under a limit.
///
/// The library takes an answer only after the whole body. So what comes after the limit is thrown
/// away, up to as many bytes again; then the connection is closed.
final class RequestCollector {
  /// The least room that is made for a body.
  private static let leastCapacity = 4 << 10

  private let maximum: Int
  /// How many bytes there can be.
  private let mostCapacity: Int
  private let budget: BodyBudget
  /// Is told when the client begins and ceases to wait for memory.
  private let waiting: (Bool) -> Void
  /// The body so far, whose room is out of the budget; empty once it is refused.
  let bytes = BodyBytes()
  /// How many bytes arrived.
  private(set) var byteCount = 0
  /// Why the body is thrown away, if it is.
  private(set) var refusal: Problem?

  /// Prepares for a body.
  ///
  /// - Parameters:
  ///   - length: How many bytes it says it has, within the limit; nil if it does not say.
  ///   - maximum: The most bytes that are kept.
  ///   - budget: What bodies may take together.
  ///   - waiting: Called with true when that is used up and the client has to wait, and with false after.
  init(
    expecting length: Int?, maximum: Int, budget: BodyBudget,
    waiting: @escaping (Bool) -> Void = { _ in }
  ) {
    self.maximum = maximum
    mostCapacity = min(length ?? maximum, maximum)
    self.budget = budget
    self.waiting = waiting
  }

  deinit { budget.release(bytes.capacity) }

  /// Takes the next piece, or tells that too much has come to go on.
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

  /// Makes room for so many bytes more, or refuses the body.
  ///
  /// It is made as bytes arrive: a client may announce more than it sends, or nothing.
  private func makeRoom(for count: Int) -> Bool {
    let (room, needed) = (bytes.capacity, bytes.count + count)
    guard needed > room else { return true }
    let capacity = max(needed, min(mostCapacity, max(Self.leastCapacity, 2 * room)))
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

  /// The problem of a body of more bytes than allowed.
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

/// Bytes in memory that the system may refuse: an array that gets none ends the process.
///
/// They are written by one thread before others read them.
@safe final class BodyBytes: @unchecked Sendable {
  private var start: UnsafeMutableRawPointer?
  /// How many there are.
  private(set) var count = 0
  /// For how many there is room.
  private(set) var capacity = 0

  deinit { unsafe free(start) }

  /// Makes room for more bytes; the corresponding C function is `realloc`.
  ///
  /// - Parameter capacity: For how many, no fewer than there are.
  /// - Returns: Whether the system has the memory; if not, all is as it was.
  func reserve(_ capacity: Int) -> Bool {
    precondition(capacity >= count)
    guard capacity > 0, let memory = unsafe realloc(start, capacity) else { return capacity == 0 }
    unsafe start = memory
    self.capacity = capacity
    return true
  }

  /// Adds bytes for which there is room.
  func append(_ piece: UnsafeRawBufferPointer) {
    precondition(piece.count <= capacity - count)
    guard let start = unsafe start, let first = piece.baseAddress else { return }
    unsafe (start + count).copyMemory(from: first, byteCount: piece.count)
    count += piece.count
  }

  /// Gives all memory back.
  func removeAll() {
    unsafe free(start)
    unsafe start = nil
    count = 0
    capacity = 0
  }

  /// Calls a function with the bytes.
  func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return try body(unsafe bytes.bindMemory(to: UInt8.self).span)
  }
}
