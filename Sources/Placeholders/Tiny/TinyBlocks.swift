/// The quantized coefficients during the search for a tiny JPEG, and the length of their scan.
struct TinyBlocks {
  /// The quantized levels: 64 for each component, in the zigzag order of the file.
  private(set) var levels: [Int]

  /// A bit mask of the nonzero levels of each component; bit 0, for DC, is always set.
  private var masks: [UInt64]

  /// The length of the scan in bits.
  private(set) var bitCount = 0

  /// The sum of the magnitudes of each component's dequantized coefficients.
  private var magnitudes: [Float]

  /// The cost per bit that makes the scan fit its limit.
  private var price: Float = 0

  /// The number of groups of four levels per component.
  static let groupCount = 16

  /// The number of bits counted for a symbol without a code: more than any scan has.
  private static let noCode = 10_000

  /// The number of bits of each AC symbol and the value that follows it: 1,024 entries for luma, then 1,024 for chroma.
  private static let acBits: [Int] = TinyTables.ac.prefix(2).flatMap { code in
    (0..<1024).map { index in
      let (run, size) = (index / 16, index % 16)
      guard run < 16, size > 0, code.length(of: index) > 0 else { return noCode }
      return code.length(of: index) + size
    }
  }

  /// The number of bits of a DC coefficient of each size, including its Huffman code: 16 entries for luma, then 16 for
  /// chroma.
  private static let dcBits: [Int] = TinyTables.dc.prefix(2).flatMap { code in
    (0..<16).map { code.length(of: $0) > 0 ? code.length(of: $0) + $0 : noCode }
  }

  /// The quantization steps: 16 groups for each component.
  private static let steps: [SIMD4<Float>] = TinyTables.steps.flatMap { steps in
    (0..<groupCount).map { group in SIMD4(steps[group * 4..<group * 4 + 4].map { Float($0) }) }
  }

  /// Copies of the tables, because each access to a lazy static property takes time.
  private let acBits = Self.acBits
  private let dcBits = Self.dcBits
  private let steps = Self.steps
  private let usedCounts = TinyTables.usedCounts

  /// Rounds the coefficients of samples, which are vectors of luma, Cb and Cr; coefficients that would exceed the range
  /// become zero.
  init(rounding samples: [SIMD4<Float>]) {
    levels = Array(repeating: 0, count: 3 * 64)
    masks = Array(repeating: 1, count: 3)
    magnitudes = Array(repeating: 0, count: 3)
    bitCount = (0..<3).reduce(0) { $0 + dcBitCount($1, 0) + TinyTables.ac[$1].length(of: 0) }
    let coefficients = TinyTransform.coefficients(of: samples, TinyTransform.basis)
    for component in 0..<3 {
      for position in 0..<usedCounts[component] {
        let step = step(component, position)
        let level = (coefficients[TinyTables.zigzag[position]][component] / step).rounded()
        if isInRange(component, abs(level) * step) { put(Int(level), component, position) }
      }
    }
  }

  /// Clears the highest frequencies of all components until the scan fits a limit in bits.
  mutating func truncate(toBitCount limit: Int) {
    for position in (1..<64).reversed() where bitCount > limit {
      for component in 0..<3 { put(0, component, position) }
    }
  }

  @inline(__always)
  private func step(_ component: Int, _ position: Int) -> Float {
    steps[component * Self.groupCount + position / 4][position % 4]
  }

  /// Returns whether the sum of a component's magnitudes is still in range after growing by `growth`.
  @inline(__always)
  private func isInRange(_ component: Int, _ growth: Float) -> Bool {
    magnitudes[component] + growth <= Float(TinyCoefficients.maximumMagnitude)
  }

  private mutating func put(_ level: Int, _ component: Int, _ position: Int) {
    let index = component * 64 + position
    bitCount += change(component, position, to: level)
    magnitudes[component] += Float(abs(level) - abs(levels[index])) * step(component, position)
    levels[index] = level
    guard position > 0 else { return }
    let bit: UInt64 = 1 << position
    masks[component] = level == 0 ? masks[component] & ~bit : masks[component] | bit
  }

  var coefficients: TinyCoefficients { TinyCoefficients(values: levels.map { Int16($0) }) }

  /// Returns the number of bits of a component's DC coefficient if it is `level`.
  @inline(__always)
  private func dcBitCount(_ component: Int, _ level: Int) -> Int {
    let size = TinyScan.size(of: level)
    return size < 16 ? dcBits[min(1, component) << 4 | size] : Self.noCode
  }

  @inline(__always)
  private func acBitCount(_ component: Int, _ previous: Int, _ position: Int, _ level: Int) -> Int {
    let size = TinyScan.size(of: level)
    guard size < 16 else { return Self.noCode }
    return acBits[min(1, component) << 10 | (position - previous - 1) << 4 | size]
  }

  /// Returns the number of bits by which the scan would grow if one level were changed to `level`.
  @inline(__always)
  private func change(_ component: Int, _ position: Int, to level: Int) -> Int {
    let old = levels[component * 64 + position]
    guard position > 0 else {
      return dcBitCount(component, level) - dcBitCount(component, old)
    }
    let mask = masks[component]
    let below = mask & (1 << position - 1)
    let previous = 63 - below.leadingZeroBitCount
    let above = mask & ~((1 << (position + 1)) &- 1)
    guard above != 0 else {
      return (level == 0 ? 0 : acBitCount(component, previous, position, level))
        - (old == 0 ? 0 : acBitCount(component, previous, position, old))
    }
    let next = above.trailingZeroBitCount
    let nextLevel = levels[component * 64 + next]
    func bits(_ level: Int) -> Int {
      level == 0
        ? acBitCount(component, previous, next, nextLevel)
        : acBitCount(component, previous, position, level)
          + acBitCount(component, position, next, nextLevel)
    }
    return bits(level) - bits(old)
  }

  /// Minimizes the distance plus the price of the bits, by changing one level at a time.
  ///
  /// The price of a bit rises until the scan fits the limit. Then the price falls, and the remaining bits go to the
  /// levels that reduce the distance most per bit.
  mutating func descend(_ model: inout TinyModel, curvatureFactor: Float, bitLimit: Int) {
    model.restart(curvatureFactor: curvatureFactor)
    let bends = zip(model.curvatures, steps).map { 0.5 * $0 * $1 * $1 }
    if bitCount > bitLimit {
      price = 0.000_02
      while bitCount > bitLimit && price < 1 {
        sweep(&model, bends, price: price, bitLimit: bitCount)
        price *= 1.3
      }
    } else {
      sweep(&model, bends, price: price * 1.5, bitLimit: bitLimit)
    }
    for factor: Float in [0.7, 0.5, 0.35, 0.25, 0.15, 0.05] {
      sweep(&model, bends, price: price * factor, bitLimit: bitLimit)
    }
  }

  /// Tries to change each level once.
  ///
  /// `bends` contains half the curvature for each coefficient, for a step of one level.
  private mutating func sweep(
    _ model: inout TinyModel, _ bends: [SIMD4<Float>], price: Float, bitLimit: Int
  ) {
    for component in 0..<3 {
      for first in stride(from: 0, to: usedCounts[component], by: 4) {
        let bends = bends[component * Self.groupCount + first / 4]
        for position in first..<min(first + 4, usedCounts[component]) {
          move(component, position, &model, bends[position % 4], price, bitLimit)
        }
      }
    }
  }

  /// Changes a level if that reduces the distance plus the price of the bits.
  private mutating func move(
    _ component: Int, _ position: Int, _ model: inout TinyModel, _ bend: Float, _ price: Float,
    _ bitLimit: Int
  ) {
    let index = component * 64 + position
    let (step, level) = (step(component, position), levels[index])
    let slope = model.slope[index / 4][index % 4] * step
    // A new AC coefficient takes at least three bits, unless it divides a run that has no code.
    guard position == 0 || level != 0 || abs(slope) - bend > 3 * price || bitCount > Self.noCode
    else { return }
    var best: (level: Int, cost: Float) = (level, -1e-9)
    func offer(_ candidate: Int) {
      let delta = Float(candidate - level)
      let change = (slope + bend * delta) * delta
      // Most candidates are too costly even if they save 30 bits.
      guard change - 30 * price < best.cost else { return }
      let growth = Float(abs(candidate) - abs(level)) * step
      guard growth < 0 || isInRange(component, growth) else { return }
      let bits = self.change(component, position, to: candidate)
      guard bitCount + bits <= bitLimit || bits < 0 else { return }
      let cost = change + price * Float(bits)
      if cost < best.cost { best = (candidate, cost) }
    }
    let downhill = level + (slope < 0 ? 1 : -1)
    let smaller = level - level.signum()
    offer(downhill)
    if smaller != level && smaller != downhill { offer(smaller) }
    if smaller != 0 { offer(0) }
    guard best.level != level else { return }
    put(best.level, component, position)
    model.move(component, position, by: Float(best.level - level) * step)
  }
}
