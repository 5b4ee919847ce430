package import LqipFiles

/// Puts the entries of one output together: what comes before, between and after them.
package struct RecordWriter {
  package let layout: RecordLayout
  /// How many entries the output has so far.
  package private(set) var count = 0
  private var paths: Set<UInt128>?

  /// Starts an output.
  ///
  /// - Parameters:
  ///   - layout: What the records look like.
  ///   - pathsMayRepeat: Whether the same path may come twice. The keys of an object are unique, so
  ///     this format then has to remember 16 bytes of each path.
  package init(_ layout: RecordLayout, pathsMayRepeat: Bool) {
    self.layout = layout
    paths = layout.format == .json && pathsMayRepeat ? [] : nil
  }

  /// Whether paths have to be told from each other.
  package var remembersPaths: Bool {
    paths != nil
  }

  /// Whether an entry for the path may be added: only once where paths are keys.
  package mutating func admits(_ path: FilePath) -> Bool {
    guard paths != nil else { return true }
    return paths?.insert(Self.hash(of: layout.told(path))).inserted ?? true
  }

  /// What the output begins with.
  package var opening: [UInt8] {
    layout.opening
  }

  /// What goes between two entries.
  package static func separator(_ format: RecordFormat) -> [UInt8] {
    switch format {
    case .ndjson: Array("\n".utf8)
    case .json: Array(",\n".utf8)
    case .csv: Array(CSV.lineEnd)
    }
  }

  /// The bytes that add an entry to the output: a new one, or one from an earlier output.
  ///
  /// - Parameters:
  ///   - entry: The entry, or several with what goes between them.
  ///   - number: How many there are.
  /// - Returns: The bytes.
  package mutating func bytes(entry: [UInt8], of number: Int = 1) -> [UInt8] {
    defer { count += number }
    switch layout.format {
    case .ndjson: return entry + "\n".utf8
    case .json: return count == 0 ? entry : ",\n".utf8 + entry
    case .csv: return entry + CSV.lineEnd
    }
  }

  /// What the output ends with.
  package var closing: [UInt8] {
    guard layout.format == .json else { return [] }
    return Array((count == 0 ? "}\n" : "\n}\n").utf8)
  }

  /// What to cut from the output to take entries away.
  ///
  /// - Parameters:
  ///   - entries: Where they stand, with what goes before each.
  ///   - isAll: Whether they are all there are.
  /// - Returns: The parts to cut, in their order.
  package func cuts(_ entries: [Range<Int>], isAll: Bool) -> [Range<Int>] {
    guard layout.format == .json, let first = entries.first,
      first.lowerBound == opening.count
    else { return entries }
    // What goes before the next entry, or before the closing brace, goes too.
    let end = first.upperBound + (isAll ? 1 : 2)
    return [first.lowerBound..<end] + entries.dropFirst()
  }

  /// A hash so long that no two paths share one.
  private static func hash(of path: FilePath) -> UInt128 {
    var low = Hasher()
    path.hash(into: &low)
    var high = low
    high.combine(0)
    let halves = [low, high].map { UInt128(UInt(bitPattern: $0.finalize())) }
    return halves[1] << 64 | halves[0]
  }
}
