import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@Suite struct TarWalkerTests {
  private let directory = TemporaryDirectory()
  private var archive = TarArchive()

  private func run(_ bytes: [UInt8], _ options: String...) throws -> Program {
    try Program(["encode", "--tar", try directory.write("a.tar", bytes), "--jobs=2"] + options)
  }

  @Test mutating func `every entry except a directory has a record, in archive order`() throws {
    archive.add("z.png")
    archive.add("d/".utf8, [], type: "5")
    archive.add("d/no-extension")
    archive.add("d/empty.png", [])
    archive.add("extension".utf8, Array("999 path=b\n".utf8), type: "x")
    archive.add("malformed-header.png")
    archive.add("d/.hidden.txt", Array("hello, hello, hello".utf8))
    archive.add("link.png".utf8, [], type: "2")
    archive.add("hard.png".utf8, [], type: "1", target: "z.png")
    archive.add("a.png")
    let run = try run(archive.closed)
    #expect(run.status == 1)
    #expect(
      try run.paths == [
        "z.png", "d/no-extension", "d/empty.png", "malformed-header.png", "d/.hidden.txt",
        "link.png", "hard.png", "a.png",
      ])
    #expect(
      try run.codes == [
        nil, nil, "unsupported_format", "unreadable", "unsupported_format", "unreadable",
        "unreadable", nil,
      ])
    #expect(run.lines[6].contains("hard link; the data is in z.png"))
    #expect(
      run.errors.hasPrefix("lqip: 3 encoded, 5 failed (2 unsupported_format, 3 unreadable) in "))
  }

  @Test mutating func `every archive entry is in exactly one shard for any number of jobs`() throws
  {
    for name in ["d/a.png", "d/e/b.png", "e/c.png", "f.gif"] { archive.add(name) }
    for index in 0..<20 { archive.add("\(index)", index % 7 == 0 ? [] : TemporaryDirectory.png) }
    let all = try run(archive.closed, "--jobs=1")
    #expect(try all.output == run(archive.closed, "--jobs=8").output)
    let parts = try (1...3).map { try run(archive.closed, "--shard=\($0)/3").paths }
    #expect(try parts.flatMap(\.self).sorted() == all.paths.sorted())
  }

  @Test mutating func `an archive entry has the same record as the file, even above a size limit`()
    throws
  {
    let path = try directory.write("b.png")
    archive.add(path)
    for option in ["--max-bytes=10", "--quiet"] {
      #expect(try run(archive.closed, option).output == Program("encode", option, path).output)
    }
  }

  @Test mutating func `an archive entry with a huge size allocates no memory`() throws {
    archive.add("huge.png".utf8, [1, 2, 3], size: 0o77777777777)
    let run = try run(archive.closed)
    #expect(run.status == 4)
    #expect(try run.codes == ["too_large"])
  }

  @Test mutating func `--tar reads standard input and cannot be combined with paths`() throws {
    archive.add("a.png", Array("hello, hello, hello".utf8))
    let input = String(decoding: archive.closed, as: UTF8.self)
    #expect(try Program("encode", "--tar=-", input: input).codes == ["unsupported_format"])
    let both = try Program("encode", "--tar=a.tar", "a.png")
    #expect(both.status == 2)
    #expect(both.errors.hasPrefix("lqip: --tar cannot be combined with PATH\n"))
  }
}
