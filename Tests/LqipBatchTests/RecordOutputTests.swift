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

  /// A run, which reads earlier records in the order of its files.
  @MainActor private final class Run {
    let output: RecordOutput
    private var matcher: RecordMatcher

    init(_ output: RecordOutput) throws {
      self.output = output
      matcher = try RecordMatcher(output.previous)
    }

    /// What is known of files, and of those without one that come before them; all the rest after nil.
    func events(at path: FilePath?, _ make: () throws -> BatchEncoder.Event) throws
      -> [BatchEncoder.Event]
    {
      var items: [InputFeed.Item] = []
      let add = { (item: InputFeed.Item) in
        items.append(item)
        return true
      }
      if let path {
        _ = try matcher.take(.image(path, followsLinks: false, isCandidate: false), add)
      } else {
        _ = try matcher.finish(add)
      }
      return try items.map { item in
        switch item {
        case .reused(let run):
          output.previous?.visit(run)
          return .reusedRun(run)
        case .unvisited(let entries): return .unvisited(entries)
        case .found(_, let match):
          if let match { output.previous?.visit(match) }
          return try match.flatMap { $0.reuse == .holds ? .reused($0.entry) : nil } ?? make()
        }
      }
    }
  }

  private func output(
    _ update: UpdateOptions = UpdateOptions(), format: RecordFormat = .ndjson,
    profile: RecordProfile = .plain, isOfFiles: Bool = true, isOrdered: Bool = true
  ) throws -> Run {
    let options = RecordOptions(output: path("out"), format: format, profile: profile)
    let input = BatchInput(
      names: [FilePath(directory.path)], isOfFiles: isOfFiles, isOrdered: isOrdered)
    let output = try RecordOutput(options, update, input)
    try output.write(.entered(FilePath(directory.path)))
    return try Run(output)
  }

  /// Gives the output the records of files as a batch does, old ones or such as are new.
  ///
  /// - Returns: The files that were encoded.
  @discardableResult
  private func write(_ names: [String], to run: Run) throws -> [String] {
    let output = run.output
    var encoder = FileEncoder(PlaceholderOptions(), LimitOptions())
    encoder.stamps = output.stamps
    var encoded: [String] = []
    for name in names {
      let events = try run.events(at: path(name)) {
        encoded.append(name)
        let record = encoder.record(of: path(name), followsLinks: false)
        let entry = output.layout.entry(for: record)
        try output.note(record, entry)
        return .record(record, rendered: entry)
      }
      for event in events { try output.write(event) }
    }
    return encoded
  }

  /// Puts the output in its place.
  private func finish(_ run: Run, isInterrupted: Bool = false) throws {
    var summary = BatchSummary()
    summary.signal = isInterrupted ? SIGTERM : nil
    let rest = isInterrupted ? [] : try run.events(at: nil) { preconditionFailure("no file") }
    for event in rest { try run.output.write(event) }
    try run.output.finish(&summary)
  }

  /// The names that the output has records of.
  private func names(_ format: RecordFormat = .ndjson) throws -> [String] {
    let output = try FileDescriptor(opening: path("out"), O_RDONLY)
    var reader = try RecordReader(output.number)
    #expect(reader.form?.format == format)
    var names: [String] = []
    while case .entry(let entry) = try reader.next() {
      names.append(String(decoding: entry.path.name, as: UTF8.self))
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
    try directory.write("out", Array("{\n}\n".utf8))
    let output = try output(format: format)
    try write(["a", "b"], to: output)
    #expect(try directory.text(of: "out") == "{\n}\n")
    let journal = try directory.text(of: ".out.journal")
    try finish(output)
    let written = try directory.text(of: "out")
    #expect(try names(format) == ["a", "b"])
    #expect(journal.split(separator: "\n").count == 2)
    if format == .ndjson { #expect(written == journal) }
    #expect(try hiddenNames() == [])
  }

  @Test func `an error before the end leaves the old output and the journal`() throws {
    try directory.write("out", Array("{\n}\n".utf8))
    do {
      let output = try output()
      try write(["a"], to: output)
    }
    #expect(try directory.text(of: "out") == "{\n}\n")
    #expect(try hiddenNames() == [".out.journal"])
    let output = try output(UpdateOptions(isOn: true))
    #expect(try write(["a"], to: output) == [])
  }

  @Test func `records without a stamp, and those of an output without stamps, are in no journal`()
    throws
  {
    let output = try output()
    try output.output.note(Samples.image(Array("x".utf8)), Array("entry".utf8))
    #expect(try directory.text(of: ".out.journal") == "")
    try finish(output)
    let other = try self.output(profile: .matrix)
    try write(["a"], to: other)
    #expect(try directory.text(of: ".out.journal") == "")
    #expect(other.output.stamps == nil)
    #expect(other.output.previous == nil)
    try finish(other)
    #expect(try hiddenNames() == [])
  }

  @Test(arguments: [RecordProfile.matrix, .next, .plain], [true, false])
  func `an interrupted run leaves the old output, whatever its records look like`(
    profile: RecordProfile, isOfFiles: Bool
  ) throws {
    try directory.write("out", Array("{\n}\n".utf8))
    do {
      let first = try output(profile: profile, isOfFiles: isOfFiles)
      try write(["a"], to: first)
      try finish(first, isInterrupted: true)
    }
    #expect(try directory.text(of: "out") == "{\n}\n")
    let second = try output(
      UpdateOptions(writesPartial: true), profile: profile, isOfFiles: isOfFiles)
    try write(["a"], to: second)
    try finish(second, isInterrupted: true)
    #expect(try directory.text(of: "out") != "{\n}\n")
  }

  @Test(arguments: [RecordProfile.plain, .matrix])
  func `two runs never write the same output`(profile: RecordProfile) throws {
    let first = try output(profile: profile)
    let message = "\(path("out")): another lqip process is writing this file"
    #expect(throws: CommandError.output(message)) {
      try output(profile: profile)
    }
    try write(["a"], to: first)
    try finish(first)
    #expect(throws: Never.self) { try output() }
  }

  /// Makes an output of all files and takes two of them away.
  private func prepare() throws {
    let first = try output()
    try write(["a", "b", "c", "d", "e"], to: first)
    try finish(first)
    for name in ["b", "e"] { try FileManager.default.removeItem(atPath: directory.file(name)) }
  }

  @Test func `records of missing files are dropped`() throws {
    try prepare()
    let second = try output(UpdateOptions(isOn: true))
    try write(["a", "c", "d"], to: second)
    try finish(second)
    #expect(try names() == ["a", "c", "d"])
  }

  @Test func `records of missing files are kept in their place when asked for`() throws {
    try prepare()
    try directory.setModified("c", 1_000_000_000)
    let second = try output(UpdateOptions(isOn: true, keepsMissing: true))
    try write(["a", "c", "d"], to: second)
    try finish(second)
    #expect(try names() == ["a", "b", "c", "d", "e"])
  }

  @Test func `records of missing files are kept at the end where there is no order`() throws {
    try prepare()
    let second = try output(UpdateOptions(isOn: true, keepsMissing: true), isOrdered: false)
    try write(["d", "c", "a"], to: second)
    try finish(second)
    #expect(try names() == ["d", "c", "a", "b", "e"])
  }

  @Test(arguments: [(true, ["a", "b", "c", "d", "e"]), (false, ["a", "c", "b", "d", "e"])])
  func `what an interrupted run did not come to stays`(
    isOrdered: Bool, expected: [String]
  ) throws {
    try prepare()
    let second = try output(UpdateOptions(isOn: true), isOrdered: isOrdered)
    try write(["a", "c"], to: second)
    try finish(second, isInterrupted: true)
    #expect(try names() == expected)
    #expect(try hiddenNames() == [])
  }

  @Test func `an interrupted run that came to nothing changes nothing`() throws {
    try prepare()
    let old = try directory.text(of: "out")
    let second = try output(UpdateOptions(isOn: true))
    try finish(second, isInterrupted: true)
    #expect(try directory.text(of: "out") == old)
  }

  @Test(arguments: [RecordProfile.plain, .matrix])
  func `only an output with stamps is one from which an update goes on`(
    profile: RecordProfile
  ) throws {
    let run = try output(UpdateOptions(writesPartial: true), profile: profile)
    try write(["a", "b"], to: run)
    #expect(
      run.output.whatIsDone == "interrupted after 2 new records, written to \(path("out"))"
        + (profile == .plain ? ", from which --update resumes" : ""))
    #expect(run.output.whereWorkIs.isEmpty == (profile == .matrix))
  }

  @Test func `a run without stamps leaves a journal until its whole output takes the place`() throws
  {
    for isUpdate in [true, false] {
      do {
        let killed = try output(UpdateOptions(isOn: true))
        try write(["a", "b"], to: killed)
      }
      let journal = try directory.text(of: ".out.journal")
      for update in [UpdateOptions(), UpdateOptions(writesPartial: true)] {
        let other = try output(update, profile: .matrix)
        #expect(other.output.whereWorkIs == "")
        try write(["a"], to: other)
        try finish(other, isInterrupted: true)
      }
      #expect(try directory.text(of: ".out.journal") == journal)
      let last = try output(
        UpdateOptions(isOn: isUpdate), profile: isUpdate ? .plain : .matrix)
      #expect(try write(["a", "b"], to: last) == (isUpdate ? [] : ["a", "b"]))
      try finish(last)
      #expect(try hiddenNames() == [])
      try FileManager.default.removeItem(atPath: directory.file("out"))
    }
  }

  @Test func `an interrupted run keeps a journal that has more than it came to`() throws {
    do {
      let killed = try output()
      try write(["a", "b", "c"], to: killed)
    }
    do {
      let second = try output(UpdateOptions(isOn: true))
      try write(["a", "d"], to: second)
      try finish(second, isInterrupted: true)
    }
    #expect(try names() == ["a", "d"])
    let third = try output(UpdateOptions(isOn: true))
    #expect(try write(["a", "b", "c", "d"], to: third) == [])
    try finish(third)
    #expect(try hiddenNames() == [])
  }
}
