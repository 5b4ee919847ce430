// Fits tiny JPEGs to crops with the tables of a file, for scripts/train-tiny.
//
// Usage: fit TABLES CROPS FIRST STEP LIMIT... [measure]
//
// A crop is 48×48 sRGB pixels. The program fits every crop whose index is FIRST plus a multiple of STEP. For each limit
// in bytes, it prints a line of sums over the crops, and the counts of the symbols.

import Foundation

/// The tables under training, in place of those in TrainedTables.swift.
enum TrainedTables {
  /// Lines of numbers: the steps of Y, Cb and Cr, then for each code pairs of a symbol and a length.
  private static let lines =
    (try? String(
      contentsOfFile: CommandLine.arguments[1], encoding: .utf8))
    .map { $0.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } } } ?? []

  static let steps = lines[0..<3].map { $0.map { UInt8($0) } }
  static let dcLuma = code(3)
  static let acLuma = code(4)
  static let dcChroma = code(5)
  static let acChroma = code(6)

  private static func code(_ line: Int) -> [Int: [UInt8]] {
    var symbols: [Int: [UInt8]] = [:]
    for index in stride(from: 0, to: lines[line].count, by: 2) {
      symbols[lines[line][index + 1], default: []].append(UInt8(lines[line][index]))
    }
    return symbols
  }
}

let side = 48

func light(_ samples: some RandomAccessCollection<UInt8>, _ place: Int) -> SIMD3<Float> {
  func sample(_ offset: Int) -> Float {
    SRGB.linear[Int(samples[samples.index(samples.startIndex, offsetBy: place + offset)])]
  }
  return SIMD3(sample(0), sample(1), sample(2))
}

func oklab(_ pixels: [SIMD3<Float>]) -> [SIMD3<Float>] {
  pixels.map { Oklab(linear: $0).components }
}

func mean(_ pixels: [SIMD3<Float>], _ count: Int) -> [SIMD3<Float>] {
  let (length, width) = (side / count, Float(side / count))
  return (0..<count * count).map { cell in
    var sum = SIMD3<Float>.zero
    for y in 0..<length {
      for x in 0..<length {
        sum += pixels[(cell / count * length + y) * side + cell % count * length + x]
      }
    }
    return sum / (width * width)
  }
}

func distance(_ one: [SIMD3<Float>], _ other: [SIMD3<Float>]) -> Double {
  zip(one, other).reduce(0) { sum, pair in
    let difference = pair.0 - pair.1
    return sum + Double((difference * difference).sum().squareRoot())
  } / Double(one.count)
}

guard let crops = FileManager.default.contents(atPath: CommandLine.arguments[2]),
  let first = Int(CommandLine.arguments[3]), let step = Int(CommandLine.arguments[4])
else { fatalError("usage: fit TABLES CROPS FIRST STEP LIMIT... [measure]") }
let size = side * side * 3
for limit in CommandLine.arguments.dropFirst(5).compactMap({ Int($0) }) {
  var sums = [Double](repeating: 0, count: 7)
  var counts = [Int](repeating: 0, count: 4 * 256)
  for index in stride(from: first, to: crops.count / size, by: step) {
    let image = (0..<side * side).map { light(crops, index * size + $0 * 3) }
    let bounds = Array(0...side)
    let grid = PixelGrid(
      columnBounds: bounds, rowBounds: bounds, light: image.map { SIMD4($0, 0) })
    let best = TinyFit(objective: TinyObjective(grid.thumbnail), byteCount: limit).best()
    let value = TinyJPEG(best.blocks.coefficients)
    var line = [
      1, Double(best.distance), Double(TinyScan.bytes(of: value.coefficients).count),
    ]
    if CommandLine.arguments.last == "measure" {
      guard let bitmap = try? value.bitmap(width: side, height: side) else { continue }
      let drawn = (0..<side * side).map { light(bitmap.pixels, $0 * 4) }
      for count in [48, 12, 6, 3] {
        line.append(distance(oklab(mean(drawn, count)), oklab(mean(image, count))))
      }
    }
    for place in line.indices { sums[place] += line[place] }
    count(value.coefficients, &counts)
  }
  print("sums", limit, sums.map { "\($0)" }.joined(separator: " "))
  print("counts", counts.map { "\($0)" }.joined(separator: " "))
}

/// Counts the symbols of a scan: DC and AC of luma, then DC and AC of chroma.
func count(_ coefficients: TinyCoefficients, _ counts: inout [Int]) {
  for component in 0..<3 {
    let values = coefficients.values[component * 64..<(component + 1) * 64].map { Int($0) }
    let table = component == 0 ? 0 : 512
    counts[table + TinyScan.size(of: values[0])] += 1
    var run = 0
    for value in values.dropFirst() {
      if value == 0 {
        run += 1
      } else {
        counts[table + 256 + (run << 4 | TinyScan.size(of: value))] += 1
        run = 0
      }
    }
    if run > 0 { counts[table + 256] += 1 }
  }
}
