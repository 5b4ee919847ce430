/// The error for a message that violates its format.
public struct MalformedMessage: Error, Hashable, Sendable {
  /// Creates the error.
  public init() {}
}

/// Encodes the fields of a message between two processes on the same machine.
///
/// Its generic methods are public, because `@inlinable` has no effect on a package method, and unspecialized generic
/// code is slow.
public struct MessageWriter {
  package private(set) var bytes: [UInt8] = []

  package init(capacity: Int = 256) {
    bytes.reserveCapacity(capacity)
  }

  /// Appends an integer in little-endian order.
  @inlinable
  public mutating func add<Value: FixedWidthInteger>(_ value: Value) {
    add(bits: UInt64(truncatingIfNeeded: value), byteCount: Value.bitWidth / 8)
  }

  /// Appends the `byteCount` low-order bytes of a word in little-endian order.
  public mutating func add(bits: UInt64, byteCount: Int) {
    unsafe withUnsafeBytes(of: bits.littleEndian) { unsafe bytes += $0.prefix(byteCount) }
  }

  /// Appends a flag as one byte.
  public mutating func add(_ flag: Bool) {
    bytes.append(flag ? 1 : 0)
  }

  /// Appends a 32-bit byte count, then the bytes.
  package mutating func add(_ countedBytes: [UInt8]) {
    add(bits: UInt64(countedBytes.count), byteCount: 4)
    bytes += countedBytes
  }

  /// Appends a 32-bit byte count, then the text in UTF-8.
  package mutating func add(_ text: String) {
    add(Array(text.utf8))
  }

  /// Appends a flag, then the value if it is not `nil`.
  @inlinable
  public mutating func add<Value>(
    _ value: Value?, _ write: (inout MessageWriter, Value) -> Void
  ) {
    add(value != nil)
    if let value { write(&self, value) }
  }
}

/// Decodes the fields of an untrusted message; every byte count is checked before memory is allocated.
///
/// Its generic methods are public for the same reason as those of ``MessageWriter``.
public struct MessageReader {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether all bytes have been read.
  package var isAtEnd: Bool { position == bytes.count }

  /// Reads a little-endian integer.
  @inlinable
  public mutating func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) throws(MalformedMessage) -> Value {
    Value(truncatingIfNeeded: try bits(byteCount: Value.bitWidth / 8))
  }

  /// Reads a little-endian integer; throws an error if the integer is outside the range.
  @inlinable
  public mutating func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self, in range: ClosedRange<Value>
  ) throws(MalformedMessage) -> Value {
    let value = try integer(type)
    guard range.contains(value) else { throw MalformedMessage() }
    return value
  }

  /// Reads a little-endian integer of `byteCount` bytes, at most eight.
  public mutating func bits(byteCount: Int) throws(MalformedMessage) -> UInt64 {
    guard byteCount <= bytes.count - position else { throw MalformedMessage() }
    var bits: UInt64 = 0
    for index in 0..<byteCount { bits |= UInt64(bytes[position + index]) << UInt64(8 * index) }
    position += byteCount
    return bits
  }

  /// Reads a flag; throws an error if its byte is neither 0 nor 1.
  public mutating func flag() throws(MalformedMessage) -> Bool {
    let byte = try bits(byteCount: 1)
    guard byte <= 1 else { throw MalformedMessage() }
    return byte == 1
  }

  /// Reads a 32-bit byte count of at most `limit`, then the bytes.
  package mutating func countedBytes(upTo limit: Int) throws(MalformedMessage) -> [UInt8] {
    let count = Int(try bits(byteCount: 4))
    guard count <= limit, count <= bytes.count - position else { throw MalformedMessage() }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Reads a 32-bit byte count of at most `limit`, then text, which must be valid UTF-8.
  package mutating func text(upTo limit: Int) throws(MalformedMessage) -> String {
    guard let text = String(validating: try countedBytes(upTo: limit), as: UTF8.self) else {
      throw MalformedMessage()
    }
    return text
  }

  /// Reads a flag, then a value if the flag is true.
  @inlinable
  public mutating func optional<Value>(
    _ read: (inout MessageReader) throws(MalformedMessage) -> Value
  ) throws(MalformedMessage) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// Throws an error if unread bytes remain.
  package func finish() throws(MalformedMessage) {
    guard isAtEnd else { throw MalformedMessage() }
  }
}
