import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipBatch

@Suite struct TarWalkerTests {
  private let directory: TemporaryDirectory
  private var archive = TarArchive()

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func run(_ bytes: [UInt8], _ option: String = "--jobs=2") throws -> Program {
    try Program("encode", option, "--tar", try directory.write("a.tar", bytes))
  }

  @Test mutating func `every entry but a directory has its record in order`() throws {
    archive.add("z.png")
    archive.add("d/".utf8, [], type: "5")
    archive.add("d/no-extension")
    archive.add("d/empty.png", [])
    archive.add("d/.hidden.txt", Array("hello, hello, hello".utf8))
    archive.add("link.png".utf8, [], type: "2")
    archive.add("a.png")
    let run = try run(archive.closed)
    #expect(run.status == 1)
    #expect(
      try run.paths == [
        "z.png", "d/no-extension", "d/empty.png", "d/.hidden.txt", "link.png", "a.png",
      ])
    #expect(
      try run.codes == [nil, nil, "unsupported_format", "unsupported_format", "unreadable", nil])
    #expect(
      run.errors.hasPrefix(
        "lqip: 3 encoded, 3 failed (2 unsupported_format, 1 unreadable) in "))
  }

  @Test(arguments: ["--jobs=2", "--unordered", "--checksum"])
  mutating func `a hard link has the record of what it leads to`(option: String) throws {
    archive.add("a.png")
    archive.add("broken.png", [1, 2, 3])
    archive.add("b.png".utf8, [], type: "1", target: "a.png")
    archive.add("c.png".utf8, [], type: "1", target: "broken.png")
    archive.add("d.png".utf8, [], type: "1", target: "b.png")
    let run = try run(archive.closed, option)
    #expect(run.status == 1)
    let lines = run.lines.sorted()
    let name = { (line: String) in line.replacing(/"path":"[a-z]+/, with: #""path":"?"#) }
    #expect(lines.count == 5)
    #expect(Set([0, 1, 4].map { name(lines[$0]) }).count == 1)
    #expect(name(lines[2]) == name(lines[3]))
    #expect(try Set(run.paths) == ["a.png", "b.png", "broken.png", "c.png", "d.png"])
  }

  @Test mutating func `a hard link to what was not there fails by its name`() throws {
    archive.add("b.png".utf8, [], type: "1", target: "a.png")
    archive.add("a.png")
    let run = try run(archive.closed)
    #expect(run.status == 1)
    #expect(try run.codes == ["unreadable", nil])
    #expect(run.lines.first?.contains("hard link to a.png, which is not") ?? false)
  }

  @Test mutating func `a hard link is in the part of what it leads to`() throws {
    for index in 0..<20 { archive.add("\(index).png") }
    for index in 0..<20 {
      archive.add("link\(index).png".utf8, [], type: "1", target: "\(index).png")
    }
    let runs = try (1...3).map { try run(archive.closed, "--shard=\($0)/3") }
    #expect(runs.allSatisfy { $0.status == 0 })
    #expect(try runs.map { try $0.paths.count }.reduce(0, +) == 40)
  }

  @Test mutating func `an entry's record is its file's`() throws {
    let path = try directory.write("a.png")
    archive.add(path)
    #expect(try run(archive.closed).output == Program("encode", path).output)
  }

  @Test mutating func `the number of jobs changes nothing in the output`() throws {
    for index in 0..<60 {
      archive.add("\(index)", index.isMultiple(of: 7) ? [] : TemporaryDirectory.png)
    }
    let one = try run(archive.closed, "--jobs=1")
    let eight = try run(archive.closed, "--jobs=8")
    #expect(one.lines.count == 60)
    #expect(one.output == eight.output)
  }

  @Test mutating func `an entry above the limit has the record that its file would have`() throws {
    let path = try directory.write("a.png")
    archive.add(path)
    archive.add("b.png", [])
    let run = try run(archive.closed, "--max-bytes=10")
    #expect(try run.codes == ["too_large", "unsupported_format"])
    #expect(try run.lines.first == Program("encode", "--max-bytes=10", path).lines.first)
  }

  @Test mutating func `an entry whose header makes no sense is unreadable`() throws {
    archive.add("extension".utf8, Array("999 path=b\n".utf8), type: "x")
    archive.add("a.png")
    archive.add("b.png")
    let run = try run(archive.closed)
    #expect(try run.paths == ["a.png", "b.png"])
    #expect(try run.codes == ["unreadable", nil])
  }

  @Test mutating func `a cut-off archive gives the records so far and an error`() throws {
    for index in 0..<20 { archive.add("\(index).png") }
    archive.add("last.png".utf8, [1, 2, 3], size: 4000)
    let run = try run(archive.bytes)
    #expect(run.status == 4)
    #expect(try run.paths == (0..<20).map { "\($0).png" })
    #expect(
      run.errors
        == "lqip: \(directory.file("a.tar")): cannot read archive: Truncated tar archive\n")
  }

  @Test mutating func `an entry that says to be huge takes no memory`() throws {
    archive.add("huge.png".utf8, [1, 2, 3], size: 0o77777777777)
    let run = try run(archive.closed)
    #expect(run.status == 4)
    #expect(try run.codes == ["too_large"])
    #expect(run.errors.hasPrefix("lqip: \(directory.file("a.tar")): cannot read archive: "))
  }

  @Test mutating func `an output file is not replaced after an error`() throws {
    archive.add("a.png")
    let output = try directory.write("out.ndjson", Array("{}\n".utf8))
    let input = try directory.write("a.tar", archive.bytes)
    let run = try Program("encode", "--tar", input, "-o", output, "--force")
    #expect(run.status == 4)
    #expect(try directory.text(of: "out.ndjson") == "{}\n")
  }

  @Test mutating func `an archive without files is a message and exit code 4`() throws {
    archive.add("d/".utf8, [], type: "5")
    let run = try run(archive.closed)
    #expect(run.status == 4)
    #expect(
      run.errors
        == "lqip: \(directory.file("a.tar")): no images found (pass --allow-empty to accept this)\n"
    )
  }

  @Test mutating func `standard input may hold the archive`() throws {
    archive.add("a.png", Array("hello, hello, hello".utf8))
    let input = String(decoding: archive.closed, as: UTF8.self)
    let run = try Program("encode", "--tar=-", input: input)
    #expect(try run.codes == ["unsupported_format"])
    let empty = String(repeating: "\u{0}", count: 1024)
    #expect(
      try Program("encode", "--tar=-", input: empty).errors
        == "lqip: standard input: no images found (pass --allow-empty to accept this)\n")
  }

  @Test func `an archive does not go together with paths`() throws {
    let run = try Program("encode", "--tar=a.tar", "a.png")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("lqip: --tar cannot be combined with PATH\n"))
  }
}
