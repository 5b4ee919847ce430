import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem

@Suite struct RecordMergeTests {
  private let directory = TemporaryDirectory()
  private static var stamp: RecordStamp {
    RecordStamp(FileStatus(stat()), settings: "13 blurhash,lqip", at: .now)
  }

  private func open(_ text: [UInt8], as name: String) throws -> FileDescriptor {
    try FileDescriptor(opening: FilePath(try directory.write(name, text)), O_RDONLY)
  }

  private func rest(_ merge: inout RecordMerge) throws -> [String] {
    var lines: [String] = []
    while let record = try merge.next() {
      lines.append(String(decoding: record.text, as: UTF8.self))
      #expect(lines[lines.count - 1].hasPrefix(#"{"path":"\#(record.path)""#))
    }
    return lines
  }

  @Test func `of records with the same path, the latest change wins, or the first record on a tie`()
    throws
  {
    var random = LCG(seed: 5)
    for _ in 0..<100 {
      var merge = RecordMerge()
      var expected: [String: (time: Int, line: String)] = [:]
      var texts: [String] = []
      for source in 0..<5 {
        var text = ""
        for name in ["a", "b", "c", "d", "e"] where Bool.random(using: &random) {
          let time = Int.random(in: -1...2, using: &random)
          let times = "9.000000000 \(time / 2).00000000\(time % 2)"
          let stamp = time < 0 ? "" : #","stamp":"\#(source) \#(times) 1 x""#
          let line = #"{"path":"\#(name)","source":\#(source)\#(stamp)}"#
          text += line + "\n"
          if time > expected[name]?.time ?? -2 { expected[name] = (time, line) }
        }
        texts.append(text)
      }
      let files = try texts.indices.map { try open(Array(texts[$0].utf8), as: "\($0)").release() }
      defer { files.forEach { close($0) } }
      for file in files { try merge.add(file, named: "out") }
      #expect(try rest(&merge) == expected.sorted { $0.key < $1.key }.map(\.value.line))
    }
  }

  @Test(arguments: ["{\"path\":\"c\"", "\0\0\n", "{\"path\":\"a\"}\n"])
  func `an invalid line ends a draft, and is an error in any other output`(bad: String) throws {
    let draft = try open(Array(("{\"path\":\"b\"}\n" + bad).utf8), as: "draft")
    let old = try open(Array("{\"path\":\"a\"}\n{\"path\":\"d\"}\n".utf8), as: "old")
    var merge = RecordMerge()
    try merge.add(draft.number, named: "draft", damage: .ends)
    try merge.add(old.number, named: "old")
    #expect(try rest(&merge) == [#"{"path":"a"}"#, #"{"path":"b"}"#, #"{"path":"d"}"#])
    merge = RecordMerge()
    try merge.add(draft.number, named: "draft")
    #expect {
      try rest(&merge)
    } throws: {
      if case CommandError.input(let text) = $0 { text.hasPrefix("draft, line 2: ") } else { false }
    }
  }

  @Test func `the last output with records is known, so that its rest can be copied`() throws {
    let texts = ["{\"path\":\"b\"}\n", "{\"path\":\"a\"}\n{\"path\":\"b\"}\n{\"path\":\"c\"}\n"]
    let files = try texts.enumerated().map { try open(Array($1.utf8), as: "\($0)").release() }
    defer { files.forEach { close($0) } }
    var merge = RecordMerge()
    for file in files { try merge.add(file, named: "out") }
    for _ in 0..<2 {
      let rest = merge.rest
      #expect(rest == nil)
      _ = try merge.next()
    }
    let rest = merge.rest
    #expect(rest?.file == files[1] && rest?.offset == 26)
    _ = try merge.next()
    let end = merge.rest
    #expect(end == nil)
  }

  /// Returns the time on the processor that a merge of 200,000 records takes, and the number of records.
  private func cost(ofParts count: Int) throws -> (seconds: Double, records: Int) {
    var parts = [[UInt8]](repeating: [], count: count)
    let rest = Samples.image([0x62], stamp: Self.stamp)
    let line = RecordLayout(.ndjson).entry(for: rest).dropFirst(#"{"path":"b"#.utf8.count) + [0x0A]
    for index in 0..<200_000 {
      parts[index * 7919 % count] += #"{"path":"\#(1_000_000 + index)"#.utf8 + line
    }
    let files = try parts.enumerated().map { try open($1, as: "\($0)").release() }
    defer { files.forEach { close($0) } }
    func now() -> Double {
      var time = timespec()
      unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    var merge = RecordMerge()
    for file in files { try merge.add(file, named: "out") }
    var records = 0
    while try merge.next() != nil { records += 1 }
    return (now() - start, records)
  }

  @Test func `a merge of 64 outputs costs little more than reading one`() throws {
    let (one, many) = try (cost(ofParts: 1), cost(ofParts: 64))
    #expect(one.records == 200_000 && many.records == 200_000)
    // It took a hundred times as long when it compared the times of all records.
    #expect(many.seconds < 8 * one.seconds, "\(one.seconds) s, \(many.seconds) s")
  }
}
