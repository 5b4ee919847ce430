import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipBatch
@testable import LqipFiles
@testable import LqipOptions
@testable import LqipRecords

@MainActor
@Suite struct RecordOutputTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["a", "b", "c", "d", "e"] { try directory.write(name) }
  }

  private func path(_ name: String) -> FilePath {
    FilePath(directory.file(name))
  }

  private func output(
    _ update: UpdateOptions = UpdateOptions(), format: RecordFormat = .ndjson,
    profile: RecordProfile = .plain, isOrdered: Bool = true
  ) throws -> RecordOutput {
    let options = RecordOptions(output: path("out"), format: format, profile: profile)
    return try RecordOutput(options, update, settings: [], isOrdered: isOrdered)
  }

  /// Gives the output the records of files as a batch does: an old one, or one that is new.
  private func write(_ names: [String], to output: RecordOutput) throws {
    var encoder = FileEncoder(PlaceholderOptions(), LimitOptions())
    encoder.stamps = output.stamps
    let events = try names.map { name -> BatchEncoder.Event in
      if case .unchanged(let entry) = output.previous?.match(for: path(name)) {
        return .reused(entry)
      }
      let record = encoder.record(of: path(name), followsLinks: false)
      let entry = output.layout.entry(for: record)
      try output.note(record, entry)
      return .record(record, rendered: entry)
    }
    for event in events { try output.write(event) }
  }

  /// The names that the output has records of.
  private func names(_ format: RecordFormat = .ndjson) throws -> [String] {
    let layout = RecordLayout(format, stamps: true)
    let output = try FileDescriptor(opening: path("out"), O_RDONLY)
    var reader = try RecordReader(output.number, layout)
    var names: [String] = []
    while let entry = try reader.next() {
      names.append(String(decoding: entry.key.path.name, as: UTF8.self))
    }
    return names
  }

  private func hiddenNames() throws -> [String] {
    try directory.names.filter { $0.hasPrefix(".") }
  }

  @Test(arguments: RecordFormat.allCases)
  func `the output appears at the end, and until then the journal has its records`(
    format: RecordFormat
  ) throws {
    try directory.write("out", Array("old".utf8))
    let output = try output(format: format)
    try write(["a", "b"], to: output)
    #expect(try directory.text(of: "out") == "old")
    let journal = try directory.text(of: ".out.journal")
    try output.finish(isInterrupted: false)
    let written = try directory.text(of: "out")
    #expect(try names(format) == ["a", "b"])
    #expect(written.hasPrefix(String(journal.dropLast(2))))
    #expect(try hiddenNames() == [])
  }

  @Test func `an error before the end leaves the old output and the journal`() throws {
    try directory.write("out", Array("old".utf8))
    do {
      let output = try output()
      try write(["a"], to: output)
    }
    #expect(try directory.text(of: "out") == "old")
    #expect(try hiddenNames() == [".out.journal"])
    let output = try output(UpdateOptions(isOn: true))
    guard case .unchanged = output.previous?.match(for: path("a")) else {
      Issue.record("the journal is not read")
      return
    }
  }

  @Test func `records without a stamp, and outputs without stamps, have no journal`() throws {
    let output = try output()
    try output.note(Samples.image(Array("x".utf8)), Array("entry".utf8))
    #expect(try directory.text(of: ".out.journal") == "")
    try output.finish(isInterrupted: false)
    let other = try self.output(profile: .matrix)
    try write(["a"], to: other)
    #expect(try !hiddenNames().contains(".out.journal"))
    #expect(other.stamps == nil)
    #expect(other.previous == nil)
  }

  @Test func `two runs never write the same output`() throws {
    let first = try output()
    #expect(throws: CommandError.failed("cannot write \(path("out")): another run is writing it")) {
      try output()
    }
    try write(["a"], to: first)
    try first.finish(isInterrupted: false)
    #expect(throws: Never.self) { try output() }
  }

  /// Makes an output of all files and takes two of them away.
  private func prepare() throws {
    let first = try output()
    try write(["a", "b", "c", "d", "e"], to: first)
    try first.finish(isInterrupted: false)
    for name in ["b", "e"] { try FileManager.default.removeItem(atPath: directory.file(name)) }
  }

  @Test func `records of missing files are dropped`() throws {
    try prepare()
    let second = try output(UpdateOptions(isOn: true))
    try write(["a", "c", "d"], to: second)
    try second.finish(isInterrupted: false)
    #expect(try names() == ["a", "c", "d"])
  }

  @Test func `records of missing files are kept in their place when asked for`() throws {
    try prepare()
    try directory.setModified("c", 1_000_000_000)
    let second = try output(UpdateOptions(isOn: true, keepsMissing: true))
    try write(["a", "c", "d"], to: second)
    try second.finish(isInterrupted: false)
    #expect(try names() == ["a", "b", "c", "d", "e"])
  }

  @Test func `records of missing files are kept at the end where there is no order`() throws {
    try prepare()
    let second = try output(UpdateOptions(isOn: true, keepsMissing: true), isOrdered: false)
    try write(["d", "c", "a"], to: second)
    try second.finish(isInterrupted: false)
    #expect(try names() == ["d", "c", "a", "b", "e"])
  }

  @Test(arguments: [(true, ["a", "c", "d", "e"]), (false, ["a", "c", "b", "d", "e"])])
  func `what an interrupted run did not come to stays`(
    isOrdered: Bool, expected: [String]
  ) throws {
    try prepare()
    let second = try output(UpdateOptions(isOn: true), isOrdered: isOrdered)
    try write(["a", "c"], to: second)
    try second.finish(isInterrupted: true)
    #expect(try names() == expected)
    #expect(try hiddenNames() == [])
  }

  @Test func `an interrupted run that came to nothing changes nothing`() throws {
    try prepare()
    let old = try directory.text(of: "out")
    let second = try output(UpdateOptions(isOn: true))
    try second.finish(isInterrupted: true)
    #expect(try directory.text(of: "out") == old)
  }

  @Test func `an interrupted run keeps a journal that has more than it came to`() throws {
    do {
      let killed = try output()
      try write(["a", "b", "c"], to: killed)
    }
    do {
      let second = try output(UpdateOptions(isOn: true))
      try write(["a", "d"], to: second)
      try second.finish(isInterrupted: true)
    }
    #expect(try names() == ["a", "d"])
    let third = try output(UpdateOptions(isOn: true))
    for name in ["a", "b", "c", "d"] {
      guard case .unchanged = third.previous?.match(for: path(name)) else {
        Issue.record("\(name) would be encoded again")
        continue
      }
    }
    try third.finish(isInterrupted: false)
    #expect(try hiddenNames() == [])
  }
}
