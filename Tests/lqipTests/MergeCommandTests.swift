import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords

@Suite struct MergeCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for index in 0..<40 { try directory.write("d/\(index % 7)/\(index).png") }
  }

  private func encode(_ name: String, _ options: String...) throws {
    let run = try Program(["encode", "-o", directory.file(name), directory.file("d")] + options)
    try #require(run.status == 0)
  }

  @Test(arguments: RecordFormat.allCases, [1, 3, 60])
  func `all parts together are what one run writes`(format: RecordFormat, count: Int) throws {
    let option = "--format=\(format)"
    try encode("whole", option)
    let parts = try (1...count).map { index in
      try encode("part\(index)", option, "--shard=\(index)/\(count)")
      return directory.file("part\(index)")
    }
    let merged = directory.file("merged")
    #expect(try Program(["merge", "-o", merged] + parts.reversed()).status == 0)
    #expect(try directory.text(of: "merged") == directory.text(of: "whole"))
  }

  @Test func `a reader that goes away ends the merge without a word`() throws {
    try encode("whole")
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let run = try Program("merge", directory.file("whole"), output: pipe.fileHandleForWriting)
    #expect(run.status == 141)
    #expect(run.errors == "")
  }

  @Test func `another format can be asked for, and repeated paths are once`() throws {
    try encode("whole.ndjson")
    try encode("whole.json")
    let run = try Program(
      "merge", directory.file("whole.ndjson"), directory.file("whole.ndjson"), "-o",
      directory.file("merged.json"))
    #expect(run.status == 0)
    #expect(try directory.text(of: "merged.json") == directory.text(of: "whole.json"))
  }

  @Test(
    arguments: [RecordFormat.ndjson, .json],
    [
      [], ["--checksum"], ["--lqip=six"], ["--kinds=thumbhash,css"], ["--profile=mastodon"],
      ["--profile=nostr"], ["--profile=hugo"], ["--fields=path,width,lqip"],
    ])
  func `a table that is made of other formats is the one that a run writes`(
    format: RecordFormat, options: [String]
  ) throws {
    try directory.write("d/3/broken.png", [1, 2, 3])
    for name in ["whole.csv", "parts"] {
      let format = name == "parts" ? ["--format=\(format)"] : []
      let run = try Program(
        ["encode", "-o", directory.file(name), directory.file("d")] + format + options
          + (options == ["--profile=hugo"] ? ["--base", directory.path] : []))
      try #require(run.status == 1)
    }
    let run = try Program(
      "merge", directory.file("parts"), "-o", directory.file("merged.csv"))
    #expect(run.status == 0)
    #expect(try directory.text(of: "merged.csv") == directory.text(of: "whole.csv"))
  }

  @Test func `a hundred parts in three formats are what one run writes`() throws {
    let formats = RecordFormat.allCases
    for format in formats { try encode("whole.\(format)") }
    let parts = try (1...100).map { index in
      let name = "part\(index).\(formats[index % formats.count])"
      try encode(name, "--shard=\(index)/100")
      return directory.file(name)
    }
    for format in formats {
      let merged = directory.file("merged.\(format)")
      #expect(try Program(["merge", "-o", merged] + parts).status == 0)
      #expect(try directory.text(of: "merged.\(format)") == directory.text(of: "whole.\(format)"))
    }
  }

  @Test func `tables with different columns give one with all of them`() throws {
    for (index, kind) in ["blurhash", "thumbhash"].enumerated() {
      try encode("\(index).csv", "--shard=\(index + 1)/2", "--kinds=\(kind)")
    }
    for names in [["0.csv", "1.csv"], ["1.csv", "0.csv"]] {
      let all = directory.file("all.csv")
      #expect(try Program(["merge", "-o", all] + names.map(directory.file)).status == 0)
      let merged = try Program("merge", all, "--format=ndjson")
      #expect(merged.lines.count == 40)
      #expect(
        merged.lines.allSatisfy { $0.contains("\"blurhash\":") != $0.contains("\"thumbhash\":") })
    }
  }

  @Test(arguments: ["hello\n", "{\"path\":\"b\"}\n{\"path\":\"a\"}\n", "{\"path\":\"a\"}\nx\n"])
  func `what cannot be merged in order is refused`(text: String) throws {
    let file = try directory.write("part", Array(text.utf8))
    let run = try Program("merge", file, "-o", directory.file("merged"))
    #expect(run.status == 4)
    #expect(run.errors.hasPrefix("lqip: \(file)"))
    #expect(try !directory.names.contains("merged"))
  }

  @Test(arguments: [RecordFormat.ndjson, .csv], ["blurhash", "width,lqip,error"])
  func `records without a path are called that`(format: RecordFormat, fields: String) throws {
    try encode("part", "--format=\(format)", "--fields=\(fields)")
    let run = try Program("merge", directory.file("part"))
    #expect(run.status == 4)
    let line = format == .csv ? 2 : 1
    #expect(
      run.errors == """
        lqip: \(directory.file("part")), line \(line): record without a path

        """)
  }
}
