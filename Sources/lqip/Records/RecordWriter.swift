package import LqipFiles

/// Puts the entries of one output together: what comes before, between and after them.
package struct RecordWriter {
  let layout: RecordLayout
  private var isEmpty = true
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

  /// Whether an entry for the path may be added: only once where paths are keys.
  package mutating func admits(_ path: FilePath) -> Bool {
    guard paths != nil else { return true }
    return paths?.insert(Self.hash(of: path)).inserted ?? true
  }

  /// What the output begins with.
  package var opening: [UInt8] {
    layout.opening
  }

  /// The bytes that add an entry to the output: a new one, or one from an earlier output.
  package mutating func bytes(entry: [UInt8]) -> [UInt8] {
    defer { isEmpty = false }
    switch layout.format {
    case .ndjson: return entry + "\n".utf8
    case .json: return isEmpty ? entry : ",\n".utf8 + entry
    case .csv: return entry + CSV.lineEnd
    }
  }

  /// What the output ends with.
  package var closing: [UInt8] {
    guard layout.format == .json else { return [] }
    return Array((isEmpty ? "}\n" : "\n}\n").utf8)
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
