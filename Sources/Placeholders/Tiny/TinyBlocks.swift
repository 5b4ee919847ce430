/// The quantized coefficients during the search for a tiny JPEG, and the length of their scan.
struct TinyBlocks {
  /// The quantized levels: 28 per block, in the zigzag order of the file.
  private(set) var levels: [Int]

  /// A bit mask of the nonzero levels of each block; bit 0, for DC, is always set.
  private var masks: [UInt32]

  /// The length of the scan in bits.
  private(set) var bitCount = 0

  /// The sum of the magnitudes of each block's dequantized coefficients.
  private var magnitudes: [Float]

  /// The cost per bit that makes the scan fit its limit.
  private var price: Float = 0

  /// The frequency at each zigzag position in a landscape picture, as row · 8 + column.
  let frequencies: [Int]

  /// The quantization steps: 28 per component.
  private let steps: [Float]

  /// The number of levels per block.
  private static let width = 28

  /// The number of groups of four levels per block.
  static let groupCount = 7

  /// The number of bits counted for a symbol without a code: more than any scan has.
  private static let noCode = 10_000

  /// The number of bits of each AC symbol and the value that follows it: 512 entries for luma, then 512 for chroma.
  private static let acBits: [Int] = [TinyTables.ac(.luma), TinyTables.ac(.cb)].flatMap { code in
    (0..<512).map { index in
      let (run, size) = (index / 16, index % 16)
      guard run < 16, size > 0, code.length(of: index) > 0 else { return noCode }
      return code.length(of: index) + size
    }
  }

  /// The number of bits of a DC difference of each size, including its Huffman code: 16 entries for luma, then 16 for
  /// chroma.
  private static let dcBits: [Int] = [TinyTables.dc(.luma), TinyTables.dc(.cb)].flatMap { code in
    (0..<16).map { code.length(of: $0) > 0 ? code.length(of: $0) + $0 : noCode }
  }

  /// Copies of the tables, because each access to a lazy static property takes time.
  private let acBits = Self.acBits
  private let dcBits = Self.dcBits

  /// Creates blocks of zeros.
  init(_ shape: TinyJPEG.Shape) {
    levels = Array(repeating: 0, count: TinyCoefficients.blockCount * Self.width)
    masks = Array(repeating: 1, count: TinyCoefficients.blockCount)
    magnitudes = Array(repeating: 0, count: TinyCoefficients.blockCount)
    frequencies = TinyTables.zigzag.prefix(Self.width).map { frequency in
      shape == .landscape ? frequency.y * 8 + frequency.x : frequency.x * 8 + frequency.y
    }
    steps = TinyTables.steps(shape).flatMap { $0.prefix(Self.width).map { Float($0) } }
    bitCount = countedBits
  }

  /// Returns the number of coefficients that the encoder uses in a block.
  @inline(__always)
  private static func count(_ block: Int) -> Int {
    block % 3 == 0 ? TinyTables.usedLumaCount : TinyTables.usedChromaCount
  }

  /// Sets a block of zeros to the rounded coefficients of samples; coefficients that would exceed the range stay zero.
  mutating func set(_ block: Int, to samples: [Float]) {
    for position in 0..<Self.count(block) {
      let frequency = frequencies[position]
      let (row, column) = (TinyTransform.basis[frequency / 8], TinyTransform.basis[frequency % 8])
      var sum: Float = 0
      for y in 0..<8 {
        var line: Float = 0
        for x in 0..<8 { line += samples[y * 8 + x] * column[x] }
        sum += line * row[y]
      }
      let step = steps[block % 3 * Self.width + position]
      let level = Int((sum / step).rounded())
      if isInRange(block, Float(abs(level)) * step) { put(level, block, position) }
    }
    bitCount = countedBits
  }

  /// Clears the highest frequencies of all blocks until the scan fits a limit in bits.
  mutating func truncate(toBitCount limit: Int) {
    for position in (1..<Self.width).reversed() where bitCount > limit {
      for block in 0..<TinyCoefficients.blockCount { put(0, block, position) }
      bitCount = countedBits
    }
  }

  /// Returns whether the sum of a block's magnitudes is still in range after growing by `growth`.
  @inline(__always)
  private func isInRange(_ block: Int, _ growth: Float) -> Bool {
    magnitudes[block] + growth <= Float(TinyCoefficients.maximumMagnitude)
  }

  /// Sets a level without updating ``bitCount``.
  private mutating func put(_ level: Int, _ block: Int, _ position: Int) {
    let index = block * Self.width + position
    let step = steps[block % 3 * Self.width + position]
    magnitudes[block] += Float(abs(level) - abs(levels[index])) * step
    levels[index] = level
    guard position > 0 else { return }
    let bit: UInt32 = 1 << position
    masks[block] = level == 0 ? masks[block] & ~bit : masks[block] | bit
  }

  /// Returns the samples of a block, transposed in a portrait picture; zero is the middle of their range.
  func samples(_ block: Int) -> [Float] {
    var samples = [Float](repeating: 0, count: 64)
    for position in 0..<Self.count(block) {
      let level = levels[block * Self.width + position]
      guard level != 0 else { continue }
      let coefficient = Float(level) * steps[block % 3 * Self.width + position]
      let frequency = frequencies[position]
      TinyTransform.add(coefficient, row: frequency / 8, column: frequency % 8, to: &samples)
    }
    return samples
  }

  /// The quantized coefficients as stored in the file.
  var coefficients: TinyCoefficients {
    var coefficients = TinyCoefficients()
    for block in 0..<TinyCoefficients.blockCount {
      for position in 0..<Self.width {
        coefficients.values[block * 64 + position] = Int16(levels[block * Self.width + position])
      }
    }
    return coefficients
  }

  private var countedBits: Int {
    var bitCount = 0
    for block in 0..<TinyCoefficients.blockCount {
      bitCount += dcBitCount(block, levels[block * Self.width])
      bitCount += TinyTables.ac(TinyCoefficients.component(ofBlock: block)).length(of: 0)
      var previous = 0
      for position in 1..<Self.width where masks[block] >> position & 1 == 1 {
        bitCount += acBitCount(block, previous, position, levels[block * Self.width + position])
        previous = position
      }
    }
    return bitCount
  }

  /// Returns the number of bits of a block's DC difference if its DC level is `level`.
  @inline(__always)
  private func dcBitCount(_ block: Int, _ level: Int) -> Int {
    let previous = block < 3 ? 0 : levels[(block - 3) * Self.width]
    let size = TinyScan.size(of: level - previous)
    return dcBitCount(block, size: size)
  }

  @inline(__always)
  private func dcBitCount(_ block: Int, size: Int) -> Int {
    size < 16 ? dcBits[min(1, block % 3) << 4 | size] : Self.noCode
  }

  @inline(__always)
  private func acBitCount(_ block: Int, _ previous: Int, _ position: Int, _ level: Int) -> Int {
    let size = TinyScan.size(of: level)
    guard size < 16 else { return Self.noCode }
    return acBits[min(1, block % 3) << 9 | (position - previous - 1) << 4 | size]
  }

  /// Returns the number of bits by which the scan would grow if one level were changed to `level`.
  @inline(__always)
  private func change(_ block: Int, _ position: Int, to level: Int) -> Int {
    let old = levels[block * Self.width + position]
    guard position > 0 else {
      var change = dcBitCount(block, level) - dcBitCount(block, old)
      if block < 3 {
        let next = levels[(block + 3) * Self.width]
        let (size, oldSize) = (TinyScan.size(of: next - level), TinyScan.size(of: next - old))
        change += dcBitCount(block, size: size) - dcBitCount(block, size: oldSize)
      }
      return change
    }
    let mask = masks[block]
    let below = mask & (1 << position - 1)
    let previous = 31 - below.leadingZeroBitCount
    let above = mask & ~(1 << (position + 1) - 1)
    guard above != 0 else {
      return (level == 0 ? 0 : acBitCount(block, previous, position, level))
        - (old == 0 ? 0 : acBitCount(block, previous, position, old))
    }
    let next = above.trailingZeroBitCount
    let nextLevel = levels[block * Self.width + next]
    func bits(_ level: Int) -> Int {
      level == 0
        ? acBitCount(block, previous, next, nextLevel)
        : acBitCount(block, previous, position, level)
          + acBitCount(block, position, next, nextLevel)
    }
    return bits(level) - bits(old)
  }

  /// Minimizes the distance plus the price of the bits, by changing one level at a time.
  ///
  /// The price of a bit rises until the scan fits the limit. Then the price falls, and the remaining bits go to the
  /// levels that reduce the distance most per bit.
  ///
  /// - Parameters:
  ///   - model: The model of the distance around the current levels.
  ///   - bitLimit: The maximum number of bits in the scan.
  mutating func descend(_ model: TinyModel, bitLimit: Int) {
    let sweepLimit = 3
    var model = model
    let curvatures = (0..<TinyCoefficients.blockCount).flatMap { block in
      frequencies.map { model.curvature(block / 3, $0, $0)[TinyModel.pairs[block % 3][block % 3]] }
    }
    let bends = (0..<curvatures.count).map { index in
      let step = steps[index % (3 * Self.width)]
      return 0.5 * curvatures[index] * step * step
    }
    if bitCount > bitLimit {
      price = 0.000_02
      while bitCount > bitLimit && price < 1 {
        sweep(&model, bends, price: price, bitLimit: bitCount)
        price *= 1.3
      }
    } else {
      for _ in 0..<sweepLimit {
        guard sweep(&model, bends, price: price * 1.5, bitLimit: bitLimit) else { break }
      }
    }
    for factor: Float in [0.7, 0.5, 0.35, 0.25, 0.15, 0.05] {
      for _ in 0..<sweepLimit {
        guard sweep(&model, bends, price: price * factor, bitLimit: bitLimit) else { break }
      }
    }
  }

  /// Tries to change each level once; returns whether any level has changed.
  ///
  /// `bends` contains half the curvature along each coefficient, for a step of one level.
  @discardableResult
  private mutating func sweep(
    _ model: inout TinyModel, _ bends: [Float], price: Float, bitLimit: Int
  ) -> Bool {
    var hasChanged = false
    for block in 0..<TinyCoefficients.blockCount {
      let first = block * Self.width
      for position in 0..<Self.count(block) {
        let step = steps[block % 3 * Self.width + position]
        let slope = model.slope[block * Self.groupCount + position / 4][position % 4] * step
        let bend = bends[first + position]
        let level = levels[first + position]
        // A new AC coefficient takes at least three bits, unless it divides a run that has no code.
        guard position == 0 || level != 0 || bend + 3 * price < abs(slope) || bitCount > Self.noCode
        else { continue }
        var best: (level: Int, cost: Float, bits: Int) = (level, -1e-9, 0)
        func offer(_ candidate: Int) {
          let delta = Float(candidate - level)
          let change = (slope + bend * delta) * delta
          // Most candidates are too costly even if they save 30 bits.
          guard change - 30 * price < best.cost else { return }
          let growth = Float(abs(candidate) - abs(level)) * step
          guard growth < 0 || isInRange(block, growth) else { return }
          let bits = self.change(block, position, to: candidate)
          guard bitCount + bits <= bitLimit || bits < 0 else { return }
          let cost = change + price * Float(bits)
          if cost < best.cost { best = (candidate, cost, bits) }
        }
        offer(level + (slope < 0 ? 1 : -1))
        if level != 0 {
          offer(level > 0 ? level - 1 : level + 1)
          offer(0)
        }
        guard best.level != level else { continue }
        put(best.level, block, position)
        bitCount += best.bits
        model.move(block, position, by: Float(best.level - level) * step, frequencies)
        hasChanged = true
      }
    }
    return hasChanged
  }
}
