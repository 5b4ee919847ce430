internal import Placeholders

/// The symbols of an interleaved scan of 4:2:0, each with the bits that follow it.
///
/// Source: ITU-T T.81, F.1.2.
struct JPEGScan {
  private struct Symbol {
    let value: UInt8
    /// Whether the symbol encodes the DC coefficient of a block.
    let isDC: Bool
    let bitCount: UInt8
    let bits: UInt16
  }

  /// A copy, because access to a lazy static takes time.
  private let zigzag = JPEGTransform.zigzag
  private var coefficients = [SIMD8<Float>](repeating: .zero, count: 8)
  private var symbols: [Symbol] = []

  /// Encodes the blocks of an image, in MCUs of 16×16 pixels: four of luma, then one each of Cb and Cr.
  init(_ planes: (luma: JPEGPlane, cb: JPEGPlane, cr: JPEGPlane)) {
    let (columns, rows) = (planes.cb.blockColumns, planes.cb.blockRows)
    symbols.reserveCapacity(columns * rows * 6 * 16)
    var previous = (luma: 0, cb: 0, cr: 0)
    for row in 0..<rows {
      for column in 0..<columns {
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
          append(planes.luma, column: column * 2 + x, row: row * 2 + y, after: &previous.luma)
        }
        append(planes.cb, column: column, row: row, after: &previous.cb)
        append(planes.cr, column: column, row: row, after: &previous.cr)
      }
    }
  }

  /// Appends a block.
  ///
  /// A block beyond the edge of the image repeats the previous DC coefficient and has no AC coefficients.
  private mutating func append(
    _ plane: JPEGPlane, column: Int, row: Int, after previous: inout Int
  ) {
    guard column < plane.blockColumns && row < plane.blockRows else {
      append(0, run: 0, isDC: true)
      return appendEndOfBlock()
    }
    JPEGTransform.shared.setCoefficients(&coefficients, of: plane, column: column, row: row)
    let dc = Int(coefficients[0][0])
    append(dc - previous, run: 0, isDC: true)
    previous = dc
    appendACCoefficients()
  }

  private mutating func appendACCoefficients() {
    var run = 0
    for position in zigzag.dropFirst() {
      let coefficient = coefficients[position >> 3][position & 7]
      guard coefficient != 0 else {
        run += 1
        continue
      }
      while run > 15 {
        symbols.append(Symbol(value: 0xf0, isDC: false, bitCount: 0, bits: 0))
        run -= 16
      }
      append(Int(coefficient), run: run, isDC: false)
      run = 0
    }
    if run > 0 { appendEndOfBlock() }
  }

  private mutating func appendEndOfBlock() {
    symbols.append(Symbol(value: 0, isDC: false, bitCount: 0, bits: 0))
  }

  /// Appends a nonzero AC coefficient after a run of zeros, or a difference of DC coefficients.
  private mutating func append(_ value: Int, run: Int, isDC: Bool) {
    let bitCount = Int.bitWidth - value.magnitude.leadingZeroBitCount
    // Negative values are stored as one's complement.
    let bits = value < 0 ? value - 1 + (1 << bitCount) : value
    symbols.append(
      Symbol(
        value: UInt8(run << 4 | bitCount), isDC: isDC, bitCount: UInt8(bitCount),
        bits: UInt16(bits)))
  }

  /// Returns the entropy-coded bytes, and the optimal codes for DC and AC symbols.
  func encoded() -> (bytes: [UInt8], dc: HuffmanCode, ac: HuffmanCode) {
    let (dc, ac) = (code(isDC: true), code(isDC: false))
    var writer = BitWriter(capacity: symbols.count)
    for symbol in symbols {
      let code = symbol.isDC ? dc.codes[Int(symbol.value)] : ac.codes[Int(symbol.value)]
      writer.append(
        UInt32(code.bits) << UInt32(symbol.bitCount) | UInt32(symbol.bits),
        count: Int(code.length + symbol.bitCount))
    }
    writer.finish()
    return (writer.bytes, dc, ac)
  }

  private func code(isDC: Bool) -> HuffmanCode {
    var counts = [Int](repeating: 0, count: 256)
    for symbol in symbols where symbol.isDC == isDC { counts[Int(symbol.value)] += 1 }
    return HuffmanCode(counts: counts)
  }
}
