import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords
@testable import lqip

/// What the order of records means to `encode`.
@Suite struct EncodeOrderTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["a", "b/c", "b!", "d/x/y", "d/z", "e"] {
      try directory.write("images/\(name).png")
    }
    try directory.write("images/d/broken.png", [1, 2, 3])
  }

  private func encode(_ options: String...) throws -> Program {
    try Program(["encode", "--progress=always", directory.file("images")] + options)
  }

  /// The output with its entries in another order, and some of them twice.
  private func rearranged(_ output: String, _ format: RecordFormat) -> String {
    let end = format == .csv ? "\r\n" : "\n"
    let lines = output.components(separatedBy: end).dropLast()
    switch format {
    case .ndjson: return (lines.reversed() + lines.prefix(2)).map { $0 + end }.joined()
    case .csv: return ([lines[0]] + lines.dropFirst().reversed()).map { $0 + end }.joined()
    case .json:
      let entries = lines.dropFirst().dropLast().map {
        $0.hasSuffix(",") ? String($0.dropLast()) : $0
      }
      return "{\n" + entries.reversed().joined(separator: ",\n") + "\n}\n"
    }
  }

  @Test(arguments: RecordFormat.allCases)
  func `an update makes the same of earlier records in any order`(
    format: RecordFormat
  ) throws {
    #expect(try encode("-o", directory.file("out.\(format)")).status == 1)
    let before = try directory.text(of: "out.\(format)")
    try directory.write("turned.\(format)", Array(rearranged(before, format).utf8))
    #expect(try directory.text(of: "turned.\(format)") != before)
    // One is gone, one has changed, one is new.
    try FileManager.default.removeItem(atPath: directory.file("images/b/c.png"))
    try directory.setModified("images/d/z.png", 1_000_000_000)
    try directory.write("images/d/new.png")
    let counts = ["out", "turned"].map { name in
      try? encode("--update", "-o", directory.file("\(name).\(format)")).counts
    }
    #expect(counts[0] == "2 encoded, 4 reused, 1 failed (1 unsupported_format), 1 dropped")
    #expect(counts[1] == counts[0])
    let after = try directory.text(of: "out.\(format)")
    #expect(try directory.text(of: "turned.\(format)") == after)
    #expect(try encode("-o", directory.file("whole.\(format)")).status == 1)
    #expect(try directory.text(of: "whole.\(format)") == after)
  }

  @Test(arguments: RecordFormat.allCases)
  func `without an order the records are the same`(format: RecordFormat) throws {
    // More than are read of a directory at a time.
    for index in 0..<1500 { try directory.write("images/many/\(index).png", [1, 2, 3]) }
    let ordered = try encode("-o", directory.file("whole.\(format)"))
    let unordered = try encode("--unordered", "-o", directory.file("out.\(format)"))
    #expect(unordered.status == 1)
    #expect(unordered.counts == ordered.counts)
    let lines = { (name: String) in
      try directory.text(of: "\(name).\(format)").utf8.split(separator: UInt8(ascii: "\n"))
        .map { String(decoding: $0.last == UInt8(ascii: ",") ? $0.dropLast() : $0, as: UTF8.self) }
        .sorted()
    }
    #expect(try lines("out") == lines("whole"))
    #expect(try directory.text(of: "out.\(format)") != directory.text(of: "whole.\(format)"))
  }

  @Test func `without an order an update drops and reuses the same`() throws {
    #expect(try encode("-o", directory.file("out")).status == 1)
    try FileManager.default.removeItem(atPath: directory.file("images/b/c.png"))
    let counts = "0 encoded, 5 reused, 1 failed (1 unsupported_format)"
    let first = try encode("--unordered", "--update", "-o", directory.file("out"))
    #expect(first.counts == counts + ", 1 dropped")
    #expect(try encode("--unordered", "--update", "-o", directory.file("out")).counts == counts)
    #expect(try encode("--update", "-o", directory.file("out")).counts == counts)
    #expect(try encode("-o", directory.file("whole")).status == 1)
    #expect(try directory.text(of: "out") == directory.text(of: "whole"))
  }

  @Test func `lines without a name need their order`() throws {
    let run = try encode("--unordered", "--text=blurhash")
    #expect(run.status == 2)
    #expect(run.errors.contains("--unordered"))
  }
}
