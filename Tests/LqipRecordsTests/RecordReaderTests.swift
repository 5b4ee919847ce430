import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords

@Suite struct RecordReaderTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static let records = Samples.paths.flatMap {
    [Samples.image($0, stamped: true), Samples.failure($0, stamped: true)]
  }

  /// What a reader finds in a file: the text of each entry, and its key.
  private func entries(
    _ file: [UInt8], _ layout: RecordLayout
  ) throws -> [(text: [UInt8], key: RecordKey)] {
    let path = try directory.write("out", file)
    let descriptor = try FileDescriptor(opening: FilePath(path), O_RDONLY)
    var reader = try RecordReader(descriptor.number, layout)
    var entries: [(text: [UInt8], key: RecordKey)] = []
    while let entry = try reader.next() {
      let text = try RecordReader.bytes(
        of: descriptor.number, at: entry.offset, byteCount: entry.byteCount)
      #expect(RecordKey(parsing: text, layout) == entry.key)
      entries.append((text, entry.key))
    }
    return entries
  }

  @Test(arguments: RecordFormat.allCases)
  func `the entries of an output are found as they were written`(format: RecordFormat) throws {
    let layout = RecordLayout(format, stamps: true)
    let entries = try entries(Samples.output(Self.records, layout), layout)
    #expect(entries.map(\.text) == Self.records.map { layout.entry(for: $0) })
    #expect(entries.map(\.key.path) == Self.records.map(\.path))
  }

  @Test(arguments: RecordFormat.allCases)
  func `a large output is read through its window`(format: RecordFormat) throws {
    let layout = RecordLayout(format, stamps: true)
    let records = (1...1000).map { index in
      Samples.image(Array(String(repeating: "\(index)/", count: index).utf8), stamped: true)
    }
    let entries = try entries(Samples.output(records, layout), layout)
    #expect(entries.map(\.key.path) == records.map(\.path))
  }

  @Test(arguments: RecordFormat.allCases)
  func `an output that ends anywhere gives what is whole of it`(format: RecordFormat) throws {
    let layout = RecordLayout(format, stamps: true)
    let texts = Self.records.suffix(6).map { layout.entry(for: $0) }
    let output = Samples.output(Array(Self.records.suffix(6)), layout)
    var count = 0
    for length in output.indices {
      let entries = try entries(Array(output[..<length]), layout)
      #expect(entries.map(\.text) == Array(texts.prefix(entries.count)))
      #expect(entries.count >= count)
      count = entries.count
    }
    #expect(count == (format == .json ? 6 : 5))
  }

  @Test func `a table of other columns gives nothing`() throws {
    let layout = RecordLayout(.csv, stamps: true)
    let other = RecordLayout(.csv, profile: .matrix, stamps: true)
    #expect(try entries(Samples.output(Self.records, layout), other).isEmpty)
  }

  @Test(arguments: RecordFormat.allCases, RecordFormat.allCases)
  func `an output of another format gives nothing`(
    written: RecordFormat, read: RecordFormat
  ) throws {
    let output = Samples.output(Self.records, RecordLayout(written, stamps: true))
    let entries = try entries(output, RecordLayout(read, stamps: true))
    #expect(entries.isEmpty == (written != read))
  }

  @Test func `a line without end is not held`() throws {
    let layout = RecordLayout(.ndjson)
    let first = Samples.output([Samples.image([0x61])], layout)
    let file = first + [UInt8](repeating: 0x20, count: 3 << 20) + [0x0A] + first
    #expect(try entries(file, layout).count == 1)
  }

  @Test(arguments: RecordFormat.allCases)
  func `damage costs no more than the entries that it touches, or the rest of a table`(
    format: RecordFormat
  ) throws {
    let layout = RecordLayout(format, stamps: true)
    let records = (0..<4).map { Samples.image([UInt8(ascii: "a") + $0], stamped: true) }
    let texts = records.map { layout.entry(for: $0) }
    let output = Samples.output(records, layout)
    for offset in layout.opening.count..<output.count {
      for byte in "\"\n".utf8 where output[offset] != byte {
        var damaged = output
        damaged[offset] = byte
        let entries = try entries(damaged, layout)
        let whole = entries.filter { texts.contains($0.text) }
        #expect(entries.count <= 4)
        #expect(whole.count >= 2 || format == .csv)
        #expect(whole.map(\.text) == texts.filter { text in whole.contains { $0.text == text } })
      }
    }
  }
}
