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

  package mutating func add(_ value: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  package mutating func add(_ flag: Bool) {
    bytes.append(flag ? 1 : 0)
  }

  /// Writes bytes after their count.
  package mutating func add(_ run: some Collection<UInt8>) {
    add(UInt32(run.count))
    bytes.append(contentsOf: run)
  }

  /// Writes a value after whether there is one.
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
  private var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// Whether everything has been read.
  package var isAtEnd: Bool { rest.isEmpty }

  package mutating func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) throws(MalformedMessage) -> Value {
    let size = Value.bitWidth / 8
    guard rest.count >= size else { throw MalformedMessage() }
    defer { rest.removeFirst(size) }
    return rest.prefix(size).reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }

  /// Reads an integer that has to lie in a range.
  package mutating func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self, in range: ClosedRange<Value>
  ) throws(MalformedMessage) -> Value {
    let value = try integer(type)
    guard range.contains(value) else { throw MalformedMessage() }
    return value
  }

  package mutating func flag() throws(MalformedMessage) -> Bool {
    try integer(UInt8.self, in: 0...1) == 1
  }

  /// Reads bytes after their count.
  package mutating func run(upTo most: Int) throws(MalformedMessage) -> [UInt8] {
    let count = Int(try integer(UInt32.self))
    guard count <= most, count <= rest.count else { throw MalformedMessage() }
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Reads text, which has to be UTF-8.
  package mutating func text(upTo most: Int) throws(MalformedMessage) -> String {
    guard let text = String(validating: try run(upTo: most), as: UTF8.self) else {
      throw MalformedMessage()
    }
    return text
  }

  /// Reads a value after whether there is one.
  package mutating func optional<Value>(
    _ read: (inout MessageReader) throws(MalformedMessage) -> Value
  ) throws(MalformedMessage) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// Checks that nothing is left.
  package func finish() throws(MalformedMessage) {
    guard rest.isEmpty else { throw MalformedMessage() }
  }
}
