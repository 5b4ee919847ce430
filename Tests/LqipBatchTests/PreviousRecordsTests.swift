import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipBatch
@testable import LqipFiles
@testable import LqipOptions
@testable import LqipRecords

@MainActor
@Suite struct PreviousRecordsTests {
  private let directory: TemporaryDirectory
  private let layout = RecordLayout(.ndjson, stamps: true, digests: true)

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["a", "b", "c", "d"] { try directory.write(name) }
  }

  private func style(_ settings: String..., comparesContent: Bool = false) -> RecordStamp.Style {
    RecordStamp.Style(settings: settings, comparesContent: comparesContent)
  }

  private func path(_ name: String) -> FilePath {
    FilePath(directory.file(name))
  }

  /// An open file with records of images as they are now.
  private func records(
    of names: [String], _ style: RecordStamp.Style, in file: String = "out"
  ) throws -> FileDescriptor {
    var encoder = FileEncoder(PlaceholderOptions(), LimitOptions())
    encoder.stamps = style
    encoder.digests = true
    let records = names.map { encoder.record(of: path($0), followsLinks: false) }
    let file = try directory.write(file, Samples.output(records, layout))
    return try FileDescriptor(opening: FilePath(file), O_RDONLY)
  }

  /// Which of the images still have their record, without a look into them.
  private func unchanged(_ previous: PreviousRecords) throws -> [String] {
    try ["a", "b", "c", "d"].filter {
      guard let match = try previous.match(for: path($0)) else { return false }
      previous.visit(match)
      return match.reuse == .holds && match.entry.key.path == path($0)
    }
  }

  /// The names of records that no visited file has.
  private func unvisited(
    _ previous: PreviousRecords, before name: String? = nil
  ) throws -> [String] {
    var names: [String] = []
    try previous.takeUnvisited(before: name.map(path)) {
      names.append(String(decoding: $0.key.path.name, as: UTF8.self))
    }
    return names
  }

  @Test func `a record holds while time and size of its file do`() throws {
    let output = try records(of: ["a", "b", "c"], style())
    try directory.setModified("b", 1_000_000_000)
    let modified = try FileStatus(of: path("c"), followsLinks: false).modified
    try directory.write("c", TemporaryDirectory.png + [0])
    try directory.setModified("c", modified.seconds, nanoseconds: modified.nanoseconds)
    let previous = try PreviousRecords(output: output, journal: nil, layout, style())
    #expect(try unchanged(previous) == ["a"])
    #expect(previous.journalEnd == 0)
  }

  @Test func `a nanosecond is a change`() throws {
    try directory.setModified("a", 1_000_000_000, nanoseconds: 5)
    try directory.setModified("b", 1_000_000_000, nanoseconds: 5)
    let output = try records(of: ["a", "b"], style())
    try directory.setModified("a", 1_000_000_000, nanoseconds: 6)
    let previous = try PreviousRecords(output: output, journal: nil, layout, style())
    #expect(try unchanged(previous) == ["b"])
  }

  @Test func `a record of other settings does not hold`() throws {
    let output = try records(of: ["a"], style("lqip=six"))
    let previous = try PreviousRecords(output: output, journal: nil, layout, style())
    #expect(try unchanged(previous) == [])
  }

  @Test func `a file that is gone or has become something else has no record`() throws {
    let output = try records(of: ["a", "b"], style())
    try FileManager.default.removeItem(atPath: directory.file("a"))
    try FileManager.default.removeItem(atPath: directory.file("b"))
    _ = try directory.makeDirectory("b")
    let previous = try PreviousRecords(output: output, journal: nil, layout, style())
    for name in ["a", "b"] {
      #expect(try previous.match(for: path(name))?.reuse == .isOutdated(.changed))
    }
  }

  @Test func `where the content tells, a record holds for the time being`() throws {
    let style = style(comparesContent: true)
    let output = try records(of: ["a"], style)
    try directory.write("a", [1])
    let previous = try PreviousRecords(output: output, journal: nil, layout, style)
    let match = try #require(try previous.match(for: path("a")))
    #expect(match.reuse == .isOutdated(.changed))
    try directory.setModified("b", 1_000_000_000)
    let touched = try PreviousRecords(
      output: try records(of: ["b"], style), journal: nil, layout, style)
    try directory.setModified("b", 2_000_000_000)
    #expect(try #require(try touched.match(for: path("b"))).reuse == .holdsIfContentDoes)
    #expect(try previous.match(for: path("b")) == nil)
  }

  @Test func `records are those of the output and of the journal`() throws {
    let output = try records(of: ["a", "b"], style())
    try directory.setModified("b", 1_000_000_000)
    let journal = try records(of: ["b", "c"], style(), in: "journal")
    let previous = try PreviousRecords(
      output: output, journal: journal.number, layout, style())
    #expect(try unchanged(previous) == ["a", "b", "c"])
    // What only the journal has never was in the output.
    #expect(try unvisited(previous) == [])
  }

  @Test func `the journal is whole up to the end of its last whole record`() throws {
    let layout = RecordLayout(.ndjson, stamps: true)
    let records = [Samples.image([0x61], stamped: true), Samples.failure([0x62], stamped: true)]
    let whole = layout.opening + records.flatMap { layout.entry(for: $0) + "\n".utf8 }
    for torn in [[], [UInt8](layout.entry(for: records[0]).dropLast(2))] {
      let file = try directory.write("journal", whole + torn)
      let journal = try FileDescriptor(opening: FilePath(file), O_RDONLY)
      let previous = try PreviousRecords(output: nil, journal: journal.number, layout, style())
      #expect(previous.journalEnd == whole.count)
    }
  }

  @Test func `records that no file has come in their order`() throws {
    let output = try records(of: ["d", "a", "c", "b"], style())
    let previous = try PreviousRecords(output: output, journal: nil, layout, style())
    try previous.match(for: path("c")).map(previous.visit)
    #expect(try unvisited(previous) == ["d", "a", "b"])
    #expect(try unvisited(previous) == [])
  }

  @Test func `those before a path come first`() throws {
    let output = try records(of: ["a", "b", "c", "d"], style())
    let previous = try PreviousRecords(output: output, journal: nil, layout, style())
    try previous.match(for: path("c")).map(previous.visit)
    #expect(try unvisited(previous, before: "a") == [])
    #expect(try unvisited(previous, before: "c") == ["a", "b"])
    #expect(try unvisited(previous, before: "c") == [])
    #expect(try unvisited(previous) == ["d"])
  }

  @Test func `all records of a path count as visited`() throws {
    let output = try records(of: ["a", "a", "b"], style())
    let previous = try PreviousRecords(output: output, journal: nil, layout, style())
    #expect(try unchanged(previous) == ["a", "b"])
    #expect(try unvisited(previous) == [])
  }

  @Test func `records that cannot be read any more are an error, and none of them malformed`()
    throws
  {
    let output = try records(of: ["a", "b"], style())
    let number = output.number
    let previous = try PreviousRecords(
      output: output, journal: nil, layout, style(), named: "out.ndjson")
    // From here on the descriptor stands for a file that is open for writing alone.
    let other = try FileDescriptor(opening: path("other"), O_WRONLY | O_CREAT)
    _ = try SystemError.check { dup2(other.number, number) }
    let error = CommandError.output(
      "out.ndjson: cannot read the earlier records: Bad file descriptor")
    #expect(throws: error) { _ = try previous.match(for: path("a")) }
    #expect(throws: error) { try unvisited(previous) }
    #expect(throws: error) {
      try previous.text(of: PreviousRecords.Rejection(line: 1, bounds: 0..<1))
    }
    #expect(try previous.rejected() == [])
  }

  @Test func `the journal's last record may lack its terminator`() throws {
    let layout = RecordLayout(.ndjson, stamps: true)
    let entry = layout.entry(for: Samples.image([0x61], stamped: true))
    let output = FilePath(directory.file("out"))
    try directory.write(".out.journal", entry)
    let journal = try Journal(for: output, like: nil)
    let previous = try PreviousRecords(
      output: nil, journal: journal.descriptor.number, layout, style())
    try journal.resume(after: previous.journalEnd)
    try journal.write(entry + "\n".utf8)
    #expect(try directory.text(of: ".out.journal").utf8.elementsEqual(entry + [10] + entry + [10]))
  }

  @Test func `what is no output has no records`() throws {
    let file = try directory.write("out", TemporaryDirectory.png)
    let output = try FileDescriptor(opening: FilePath(file), O_RDONLY)
    let previous = try PreviousRecords(output: output, journal: nil, layout, style())
    #expect(try unchanged(previous) == [])
    #expect(try unvisited(previous) == [])
  }
}
