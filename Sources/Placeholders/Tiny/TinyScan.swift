/// The entropy-coded segment of a picture.
///
/// Source: ITU-T T.81, F.1.2 and F.2.2.
enum TinyScan {
  /// Returns the scan; unused bits of its last byte are set to one.
  ///
  /// - Precondition: Every symbol has a code.
  static func bytes(of coefficients: TinyCoefficients) -> [UInt8] {
    var writer = TinyBitWriter()
    for component in 0..<3 {
      let values = coefficients.values[component * 64..<(component + 1) * 64].map { Int($0) }
      writer.append(values[0], run: 0, TinyTables.dc[component])
      var run = 0
      let code = TinyTables.ac[component]
      for value in values.dropFirst() {
        if value == 0 {
          run += 1
        } else {
          writer.append(value, run: run, code)
          run = 0
        }
      }
      if run > 0 { writer.append(code.codes[0]) }
    }
    return writer.finish()
  }

  /// Decodes a scan; throws if it is truncated, has an unknown code or too many coefficients, or is wrongly padded.
  static func coefficients(of bytes: [UInt8]) throws(TinyJPEG.ParsingError) -> TinyCoefficients {
    var coefficients = TinyCoefficients()
    var reader = TinyBitReader(bytes)
    for component in 0..<3 {
      let first = component * 64
      let size = try TinyTables.dc[component].symbol(&reader)
      coefficients.values[first] = Int16(try reader.value(size: size))
      let code = TinyTables.ac[component]
      var position = 1
      while position < 64 {
        let symbol = try code.symbol(&reader)
        guard symbol > 0 else { break }
        position += symbol >> 4
        guard position < 64 else { throw .tooManyCoefficients }
        coefficients.values[first + position] = Int16(try reader.value(size: symbol & 15))
        position += 1
      }
    }
    try reader.finish()
    return coefficients
  }

  /// Returns the number of bits of a value's magnitude.
  @inline(__always)
  static func size(of value: Int) -> Int {
    Int.bitWidth - value.magnitude.leadingZeroBitCount
  }
}

/// Packs bits into bytes, starting with the highest bit.
private struct TinyBitWriter {
  private var bytes: [UInt8] = []
  private var bits: UInt64 = 0
  private var bitCount = 0

  /// Appends the symbol for a run of zeros and the value that follows it, and then the bits of the value.
  mutating func append(_ value: Int, run: Int, _ code: TinyCode) {
    let size = TinyScan.size(of: value)
    append(code.codes[run << 4 | size])
    // Negative values are stored in one's complement.
    append((UInt32(value < 0 ? value - 1 + (1 << size) : value), size))
  }

  /// Appends bits, with a zero byte after each 0xFF, which would otherwise start a marker.
  mutating func append(_ code: (bits: UInt32, length: Int)) {
    bits = bits << code.length | UInt64(code.bits)
    bitCount += code.length
    while bitCount >= 8 {
      bitCount -= 8
      let byte = UInt8(truncatingIfNeeded: bits >> bitCount)
      bytes.append(byte)
      if byte == 0xff { bytes.append(0) }
    }
  }

  /// Fills the last byte with ones, and returns the bytes.
  mutating func finish() -> [UInt8] {
    append((UInt32(1) << (-bitCount & 7) - 1, -bitCount & 7))
    return bytes
  }
}

struct TinyBitReader {
  private let bytes: [UInt8]
  /// The index of the byte after the current one.
  private var position = 0
  private var current: UInt8 = 0
  private var bitCount = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads up to 16 bits.
  mutating func read(_ count: Int) throws(TinyJPEG.ParsingError) -> Int {
    var value = 0
    for _ in 0..<count {
      if bitCount == 0 { try advance() }
      bitCount -= 1
      value = value << 1 | Int(current >> bitCount & 1)
    }
    return value
  }

  /// Reads a value whose magnitude has `size` bits.
  mutating func value(size: Int) throws(TinyJPEG.ParsingError) -> Int {
    guard size > 0 else { return 0 }
    let bits = try read(size)
    return bits >> (size - 1) == 0 ? bits + 1 - (1 << size) : bits
  }

  private mutating func advance() throws(TinyJPEG.ParsingError) {
    guard position < bytes.count else { throw .truncated }
    current = bytes[position]
    position += 1
    if current == 0xff {
      guard position < bytes.count, bytes[position] == 0 else { throw .truncated }
      position += 1
    }
    bitCount = 8
  }

  /// Checks that only padding follows.
  func finish() throws(TinyJPEG.ParsingError) {
    let rest = bytes[position...]
    let ones = UInt8(truncatingIfNeeded: 1 << bitCount - 1)
    guard bytes.count.isMultiple(of: 3), rest.count < 3, rest.allSatisfy({ $0 == 0xff }),
      current & ones == ones
    else { throw .wrongPadding }
  }
}
