/// The quantization and Huffman tables of the header.
///
/// The header is a constant: after a release, a change would invalidate every stored value. ``TrainedTables`` contains
/// the steps and Huffman codes. A component is 0 for luma, 1 for Cb and 2 for Cr.
enum TinyTables {
  /// The number of coefficients, in zigzag order, that the encoder uses for each component.
  ///
  /// The last of the 64 coefficients is not used, so that the "end of block" symbol ends every block.
  static let usedCounts = TrainedTables.steps.map { $0.count }

  /// For each component, the codes for the sizes of DC coefficients.
  static let dc = [TrainedTables.dcLuma, TrainedTables.dcChroma, TrainedTables.dcChroma]
    .map { TinyCode($0) }

  /// For each component, the codes for runs of zeros, each combined with the size of the coefficient that follows.
  static let ac = [TrainedTables.acLuma, TrainedTables.acChroma, TrainedTables.acChroma]
    .map { TinyCode($0) }

  /// The frequencies of the coefficients, as row · 8 + column, in zigzag order.
  ///
  /// Source: ITU-T T.81, figure A.6.
  static let zigzag: [Int] = (0..<64).sorted { one, other in
    let (first, second) = (one / 8 + one % 8, other / 8 + other % 8)
    guard first == second else { return first < second }
    return first.isMultiple(of: 2) ? one > other : one < other
  }

  /// The quantization steps of each component in the zigzag order of a file.
  static let steps: [[UInt8]] = TrainedTables.steps.map { steps in
    (0..<64).map { steps[min($0, steps.count - 1)] }
  }

  /// The bytes before the scan.
  ///
  /// Source: ITU-T T.81, annex B. Without a JFIF header, the component numbers 1, 2 and 3 imply YCbCr.
  static let header: [UInt8] = {
    let quantization = steps.enumerated().flatMap { [UInt8($0)] + $1 }
    let side = UInt8(TinyJPEG.side)
    let frame: [UInt8] = [
      8, 0, side, 0, side, 3,
      // The number, sampling factors and quantization table of each component.
      1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 2,
    ]
    let huffman =
      [0x00] + dc[0].table + [0x01] + dc[1].table + [0x10] + ac[0].table + [0x11] + ac[1].table
    let scan: [UInt8] = [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]
    let segments =
      [0xff, 0xd8] + segment(0xdb, quantization) + segment(0xc0, frame) + segment(0xc4, huffman)
    let last = segment(0xda, scan)
    // Any number of 0xFF bytes may precede a marker (B.1.1.2).
    let fill = [UInt8](repeating: 0xff, count: (3 - (segments.count + last.count) % 3) % 3)
    return segments + fill + last
  }()

  /// Returns a marker segment with fewer than 254 bytes of content.
  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xff, marker, 0, UInt8(content.count + 2)] + content
  }
}

/// A Huffman code for the symbols of a JPEG file.
///
/// Source: ITU-T T.81, annex C.
struct TinyCode: Sendable {
  static let maximumLength = 16

  /// The symbols of each length, beginning with length 1, in the order of their codes.
  private let symbols: [[UInt8]]

  /// The code of each symbol, in the low bits, and its length in bits; length 0 for a symbol without a code.
  let codes: [(bits: UInt32, length: Int)]

  /// Assigns codes to the symbols of each length; the code of all ones stays unused.
  init(_ symbols: [Int: [UInt8]]) {
    self.symbols = (1...Self.maximumLength).map { symbols[$0] ?? [] }
    var codes = Array(repeating: (bits: UInt32.zero, length: 0), count: 256)
    var code: UInt32 = 0
    for (index, symbols) in self.symbols.enumerated() {
      code <<= 1
      for symbol in symbols {
        codes[Int(symbol)] = (code, index + 1)
        code += 1
      }
      precondition(code < 1 << (index + 1), "too many codes")
    }
    self.codes = codes
  }

  /// The content of the table in a header: the number of codes of each length, then the symbols.
  var table: [UInt8] { symbols.map { UInt8($0.count) } + symbols.flatMap { $0 } }

  /// Returns the length of a symbol's code in bits; 0 if the symbol has no code.
  func length(of symbol: Int) -> Int { codes[symbol].length }

  func symbol(_ bits: inout TinyBitReader) throws(TinyJPEG.ParsingError) -> Int {
    var (code, first) = (0, 0)
    for symbols in symbols {
      code = code << 1 | (try bits.read(1))
      first <<= 1
      if code - first < symbols.count { return Int(symbols[code - first]) }
      first += symbols.count
    }
    throw .unknownCode
  }
}
