import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipBatch
@testable import LqipFiles
@testable import LqipOptions
@testable import LqipRecords

@Suite struct RecordMatcherTests {
  private let directory: TemporaryDirectory
  private let style = RecordStamp.Style(settings: [], comparesContent: false)
  /// Some come before a slash, and some after it.
  private static let names = ["a", "b!c", "b.d", "b/e", "b0", "c/a", "d", "é"]

  init() throws {
    directory = try TemporaryDirectory()
    for name in Self.names { try directory.write(name) }
  }

  private func path(_ name: String) -> FilePath {
    FilePath(directory.file(name))
  }

  /// The records of an output, in an order.
  private func previous(
    _ names: [String], _ format: RecordFormat, damaging damaged: String? = nil
  ) throws -> PreviousRecords {
    var encoder = FileEncoder(PlaceholderOptions(), LimitOptions())
    encoder.stamps = style
    let layout = RecordLayout(format, stamps: true)
    let records = names.map { encoder.record(of: path($0), followsLinks: false) }
    var text = Samples.output(records, layout)
    if let damaged {
      let name = path(damaged).bytes
      let start = try #require(text.indices.first { text[$0...].starts(with: name) })
      // The path can be read, and the rest cannot.
      let colon = try #require(text[start...].firstIndex(of: UInt8(ascii: ":")))
      text[text[(colon + 1)...].firstIndex(of: UInt8(ascii: ":")) ?? colon] = UInt8(ascii: ";")
    }
    let file = try directory.write(".out", text)
    return try PreviousRecords(
      output: FileDescriptor(opening: FilePath(file), O_RDONLY), journal: nil, layout, style,
      inOrder: true)
  }

  /// What comes of files, in the order in which it comes.
  private func steps(_ files: [String], _ previous: PreviousRecords) throws -> [String] {
    var steps: [String] = []
    let root = directory.file("").utf8.count
    let name = { (path: FilePath) in
      String(decoding: path.bytes.dropFirst(root), as: UTF8.self)
    }
    let add = { (item: InputFeed.Item) in
      switch item {
      case .found(.image(let path, _, _), let match):
        steps.append((match == nil ? "new " : "changed ") + name(path))
      case .found: steps.append("other")
      case .reused(let run): steps.append("\(run.count) reused to " + name(run.path))
      case .unvisited(let entries): steps += entries.map { "unvisited " + name($0.key.path) }
      }
      return true
    }
    var matcher = try RecordMatcher(previous)
    for file in files {
      let image = ImageWalker.Finding.image(path(file), followsLinks: false, isCandidate: false)
      #expect(try matcher.take(image, add))
    }
    #expect(try matcher.finish(add))
    return steps
  }

  /// What has to come of files, by sets alone.
  private func expected(_ old: Set<String>, _ files: Set<String>, _ changed: Set<String>)
    -> [String]
  {
    var steps: [String] = []
    var run: (count: Int, last: String)?
    func flush() {
      if let run { steps.append("\(run.count) reused to \(run.last)") }
      run = nil
    }
    for name in old.union(files).sorted(by: { Array($0.utf8).lexicographicallyPrecedes($1.utf8) }) {
      if old.contains(name), files.contains(name), !changed.contains(name) {
        run = ((run?.count ?? 0) + 1, name)
        continue
      }
      flush()
      let kind = files.contains(name) ? (old.contains(name) ? "changed" : "new") : "unvisited"
      steps.append("\(kind) \(name)")
    }
    flush()
    return steps
  }

  @Test(arguments: RecordFormat.allCases)
  func `every record and every file comes once and in its place`(format: RecordFormat) throws {
    var random = LCG(seed: 12)
    for _ in 0..<60 {
      let old = Self.names.filter { _ in Bool.random(using: &random) }
      let files = Self.names.filter { _ in Bool.random(using: &random) }
      let changed = Self.names.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
      let previous = try previous(old, format)
      #expect(previous.isMerged)
      #expect(previous.count == old.count)
      for name in changed {
        try directory.setModified(name, Int.random(in: 1...1_000_000_000, using: &random))
      }
      #expect(try steps(files, previous) == expected(Set(old), Set(files), Set(changed)))
    }
  }

  @Test(arguments: [["d", "a"], ["a", "a"], ["a", "./a"], ["a", "b!c", "d", "c/a"]])
  func `records in another order are looked up`(old: [String]) throws {
    let previous = try previous(old, .ndjson)
    #expect(!previous.isMerged)
    #expect(previous.count == old.count)
    #expect(try previous.match(for: path("a"))?.reuse == .holds)
  }

  @Test(arguments: [RecordFormat.ndjson, .json])
  func `what turns out to be no record is rejected, and its file is new`(
    format: RecordFormat
  ) throws {
    let previous = try previous(["a", "b!c", "d"], format, damaging: "b!c")
    #expect(try previous.rejected().isEmpty)
    #expect(
      try steps(["a", "b!c", "d"], previous) == ["1 reused to a", "new b!c", "1 reused to d"])
    #expect(try previous.rejected().map(\.line) == [format == .json ? 3 : 2])
  }

  @Test func `nobody is asked again who wants no more`() throws {
    var matcher = try RecordMatcher(try previous(["a", "d"], .ndjson))
    var count = 0
    let add = { (_: InputFeed.Item) in
      count += 1
      return false
    }
    let image = ImageWalker.Finding.image(path("é"), followsLinks: false, isCandidate: false)
    #expect(try !matcher.take(image, add))
    #expect(count == 1)
  }
}
