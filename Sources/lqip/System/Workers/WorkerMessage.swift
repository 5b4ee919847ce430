/// A message that does not follow its format.
package struct MalformedMessage: Error, Hashable, Sendable {
  package init() {}
}

/// Writes the fields of a message between two processes of one machine.
package struct MessageWriter {
  package private(set) var bytes: [UInt8] = []

  package init(capacity: Int = 256) {
    bytes.reserveCapacity(capacity)
  }

  // Generic code of another module is slow unless the compiler sees it there.
  @inlinable
  package mutating func add<Value: FixedWidthInteger>(_ value: Value) {
    add(bits: UInt64(truncatingIfNeeded: value), byteCount: Value.bitWidth / 8)
  }

  /// Writes the lowest bytes of a word, the lowest first.
  package mutating func add(bits: UInt64, byteCount: Int) {
    for index in 0..<byteCount {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)))
    }
  }

  package mutating func add(_ flag: Bool) {
    bytes.append(flag ? 1 : 0)
  }

  /// Writes bytes after their count.
  package mutating func add(_ run: [UInt8]) {
    add(bits: UInt64(run.count), byteCount: 4)
    bytes += run
  }

  /// Writes text after the count of its bytes.
  package mutating func add(_ text: String) {
    add(Array(text.utf8))
  }

  /// Writes a value after whether there is one.
  @inlinable
  package mutating func add<Value>(
    _ value: Value?, _ write: (inout MessageWriter, Value) -> Void
  ) {
    add(value != nil)
    if let value { write(&self, value) }
  }
}

/// Reads the fields of a message as if an attacker had written it: every length is checked against a bound
/// and against the bytes that are left.
package struct MessageReader {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether everything has been read.
  package var isAtEnd: Bool { position == bytes.count }

  @inlinable
  package mutating func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) throws(MalformedMessage) -> Value {
    Value(truncatingIfNeeded: try bits(byteCount: Value.bitWidth / 8))
  }

  /// Reads an integer that has to lie in a range.
  @inlinable
  package mutating func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self, in range: ClosedRange<Value>
  ) throws(MalformedMessage) -> Value {
    let value = try integer(type)
    guard range.contains(value) else { throw MalformedMessage() }
    return value
  }

  /// Reads a word of some bytes, the lowest first.
  package mutating func bits(byteCount: Int) throws(MalformedMessage) -> UInt64 {
    guard byteCount <= bytes.count - position else { throw MalformedMessage() }
    var bits: UInt64 = 0
    for index in 0..<byteCount { bits |= UInt64(bytes[position + index]) << UInt64(8 * index) }
    position += byteCount
    return bits
  }

  package mutating func flag() throws(MalformedMessage) -> Bool {
    let byte = try bits(byteCount: 1)
    guard byte <= 1 else { throw MalformedMessage() }
    return byte == 1
  }

  /// Reads bytes after their count.
  package mutating func run(upTo most: Int) throws(MalformedMessage) -> [UInt8] {
    let count = Int(try bits(byteCount: 4))
    guard count <= most, count <= bytes.count - position else { throw MalformedMessage() }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Reads text, which has to be UTF-8.
  package mutating func text(upTo most: Int) throws(MalformedMessage) -> String {
    guard let text = String(validating: try run(upTo: most), as: UTF8.self) else {
      throw MalformedMessage()
    }
    return text
  }

  /// Reads a value after whether there is one.
  @inlinable
  package mutating func optional<Value>(
    _ read: (inout MessageReader) throws(MalformedMessage) -> Value
  ) throws(MalformedMessage) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// Checks that nothing is left.
  package func finish() throws(MalformedMessage) {
    guard isAtEnd else { throw MalformedMessage() }
  }
}
