/// Inflates a zlib stream bit by bit.
///
/// Malformed streams trap, because fixtures contain none. Source: RFC 1951, section 3.2.
package struct Inflater {
  private let bytes: [UInt8]
  private var bit: Int
  private var output: [UInt8] = []

  /// Returns the inflated bytes of a zlib stream, without checking its checksum.
  package static func inflated(_ zlib: [UInt8]) -> [UInt8] {
    var inflater = Inflater(bytes: zlib, bit: 16)
    while !inflater.readBlock() {}
    return inflater.output
  }

  private init(bytes: [UInt8], bit: Int) {
    self.bytes = bytes
    self.bit = bit
  }

  private mutating func read(_ count: Int) -> Int {
    var value = 0
    for index in 0..<count {
      value |= Int(bytes[bit >> 3] >> (bit & 7) & 1) << index
      bit += 1
    }
    return value
  }

  /// Reads a block, and returns whether it is the last one.
  private mutating func readBlock() -> Bool {
    let isLast = read(1) == 1
    switch read(2) {
    case 0: readStored()
    case 1:
      readCodes(
        literals: Code(lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }),
        distances: Code(lengths: Array(repeating: 5, count: 30)))
    case 2: readDynamic()
    default: preconditionFailure("invalid block type")
    }
    return isLast
  }

  private mutating func readStored() {
    bit = (bit + 7) & ~7
    let count = read(16)
    _ = read(16)
    output += bytes[bit / 8..<bit / 8 + count]
    bit += count * 8
  }

  private mutating func readDynamic() {
    let literalCount = read(5) + 257
    let distanceCount = read(5) + 1
    let lengthCount = read(4) + 4
    var codeLengths = Array(repeating: 0, count: 19)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    for index in order.prefix(lengthCount) { codeLengths[index] = read(3) }
    let code = Code(lengths: codeLengths)
    var lengths: [Int] = []
    while lengths.count < literalCount + distanceCount {
      switch symbol(of: code) {
      case 16: lengths += repeatElement(lengths[lengths.count - 1], count: read(2) + 3)
      case 17: lengths += repeatElement(0, count: read(3) + 3)
      case 18: lengths += repeatElement(0, count: read(7) + 11)
      case let length: lengths.append(length)
      }
    }
    readCodes(
      literals: Code(lengths: Array(lengths[..<literalCount])),
      distances: Code(lengths: Array(lengths[literalCount...])))
  }

  private mutating func readCodes(literals: Code, distances: Code) {
    while true {
      let literal = symbol(of: literals)
      if literal < 256 {
        output.append(UInt8(literal))
        continue
      }
      if literal == 256 { return }
      let length = Self.lengths[literal - 257].base + read(Self.lengths[literal - 257].bits)
      let code = symbol(of: distances)
      let distance = Self.distances[code].base + read(Self.distances[code].bits)
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  private static let lengths = ranges(first: 3, period: 4, count: 28) + [(base: 258, bits: 0)]
  private static let distances = ranges(first: 1, period: 2, count: 30)

  /// The base value and the number of extra bits of each code; this number grows by one every `period` codes.
  private static func ranges(first: Int, period: Int, count: Int) -> [(base: Int, bits: Int)] {
    var base = first
    return (0..<count).map { code in
      let bits = code < 2 * period ? 0 : code / period - 1
      defer { base += 1 << bits }
      return (base, bits)
    }
  }

  private mutating func symbol(of code: Code) -> Int {
    var value = 0
    var first = 0
    var index = 0
    for count in code.counts.dropFirst() {
      value |= read(1)
      if value - count < first { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    preconditionFailure("invalid code")
  }

  /// A canonical Huffman code.
  private struct Code {
    /// The number of codes of each length.
    let counts: [Int]
    /// The symbols, sorted by the length of their code and then by value.
    let symbols: [Int]

    init(lengths: [Int]) {
      var counts = (0...15).map { length in lengths.count { $0 == length } }
      counts[0] = 0
      self.counts = counts
      symbols = (1...15).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
    }
  }
}
