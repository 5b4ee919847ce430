internal import LqipFiles

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
