internal import Placeholders

/// The symbols of a scan with all blocks of an image, each with the bits that follow it.
///
/// Source: ITU-T T.81, F.1.2.
struct JPEGScan {
  private struct Symbol {
    let value: UInt8
    /// Whether it is about the first term of a block.
    let isFirst: Bool
    let bitCount: UInt8
    let bits: UInt16
  }

  /// The place of each term in memory, in the order in which they are written.
  private let places = JPEGTransform.places
  private var terms = [SIMD8<Float>](repeating: .zero, count: 8)
  private var symbols: [Symbol] = []

  /// Takes blocks in units of 16×16 pixels: four of luma, then one of each difference.
  init(_ planes: (luma: JPEGPlane, blue: JPEGPlane, red: JPEGPlane)) {
    let (columns, rows) = (planes.blue.blockColumns, planes.blue.blockRows)
    symbols.reserveCapacity(columns * rows * 6 * 16)
    var previous = (luma: 0, blue: 0, red: 0)
    for row in 0..<rows {
      for column in 0..<columns {
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
          append(planes.luma, column: column * 2 + x, row: row * 2 + y, after: &previous.luma)
        }
        append(planes.blue, column: column, row: row, after: &previous.blue)
        append(planes.red, column: column, row: row, after: &previous.red)
      }
    }
  }

  /// Appends a block; one behind the edge of the image has the first term of the block before, and no others.
  private mutating func append(
    _ plane: JPEGPlane, column: Int, row: Int, after previous: inout Int
  ) {
    guard column < plane.blockColumns && row < plane.blockRows else {
      append(0, run: 0, isFirst: true)
      return appendEnd()
    }
    JPEGTransform.shared.setTerms(&terms, of: plane, column: column, row: row)
    let first = Int(terms[0][0])
    append(first - previous, run: 0, isFirst: true)
    previous = first
    appendOtherTerms()
  }

  private mutating func appendOtherTerms() {
    var run = 0
    for place in places.dropFirst() {
      let term = terms[place >> 3][place & 7]
      guard term != 0 else {
        run += 1
        continue
      }
      while run > 15 {
        symbols.append(Symbol(value: 0xf0, isFirst: false, bitCount: 0, bits: 0))
        run -= 16
      }
      append(Int(term), run: run, isFirst: false)
      run = 0
    }
    if run > 0 { appendEnd() }
  }

  private mutating func appendEnd() {
    symbols.append(Symbol(value: 0, isFirst: false, bitCount: 0, bits: 0))
  }

  private mutating func append(_ value: Int, run: Int, isFirst: Bool) {
    let bitCount = Int.bitWidth - value.magnitude.leadingZeroBitCount
    // Of a negative number the complement.
    let bits = value < 0 ? value - 1 + 1 << bitCount : value
    symbols.append(
      Symbol(
        value: UInt8(run << 4 | bitCount), isFirst: isFirst, bitCount: UInt8(bitCount),
        bits: UInt16(bits)))
  }

  /// The bytes of the scan, and the codes that they are written in.
  func encoded() -> (bytes: [UInt8], first: HuffmanCode, other: HuffmanCode) {
    let (first, other) = (code(isFirst: true), code(isFirst: false))
    var writer = BitWriter(capacity: symbols.count)
    for symbol in symbols {
      let code = symbol.isFirst ? first.codes[Int(symbol.value)] : other.codes[Int(symbol.value)]
      writer.append(
        UInt32(code.bits) << UInt32(symbol.bitCount) | UInt32(symbol.bits),
        count: Int(code.length + symbol.bitCount))
    }
    writer.finish()
    return (writer.bytes, first, other)
  }

  private func code(isFirst: Bool) -> HuffmanCode {
    var counts = [Int](repeating: 0, count: 256)
    for symbol in symbols where symbol.isFirst == isFirst { counts[Int(symbol.value)] += 1 }
    return HuffmanCode(counts: counts)
  }
}
