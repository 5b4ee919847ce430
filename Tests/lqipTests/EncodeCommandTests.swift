import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem

@Suite struct EncodeCommandTests {
  private let directory = TemporaryDirectory()

  @Test func `valid images produce records, no messages and exit status 0`() throws {
    try directory.write("d/b.png")
    try directory.write("d/a/c.png")
    let run = try Program("encode", directory.file("d"))
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(try run.paths == [directory.file("d/a/c.png"), directory.file("d/b.png")])
    #expect(try run.codes == [nil, nil])
  }

  @Test func `an image with the major brand of videos is found without an extension`() throws {
    var image = try Fixtures.bytes("avif-inline.avif")
    image.replaceSubrange(8..<12, with: Array("isom".utf8))
    try directory.write("d/image", image)
    try directory.write("d/video", [0, 0, 0, 24] + Array("ftypisom\0\0\0\0iso2avc1".utf8))
    let run = try Program("encode", directory.file("d"))
    #expect(try run.paths == [directory.file("d/image")])
    #expect(try run.codes == [nil])
  }

  @Test func `a single image is encoded even if SIGCHLD is ignored`() throws {
    let script = #"trap "" CHLD; exec "$0" encode "$1""#
    let run = try Program(
      ["-c", script, Program.executable.path, Fixtures.path("size-2x1.png")], of: "bash")
    #expect(run.status == 0)
    #expect(run.lines.count == 1)
  }

  @Test func `invalid files get error records, and all other files are encoded`() throws {
    let good = try directory.write("1-good.png")
    let empty = try directory.write("2-empty.jpg", [])
    let text = try directory.write("3-text.jpg", Array("hello, hello, hello".utf8))
    let png = try directory.write("4-png.jpg")
    let missing = directory.file("5-missing.png")
    let run = try Program("encode", missing, png, text, empty, good)
    #expect(run.status == 1)
    #expect(try run.paths == [good, empty, text, png, missing])
    #expect(try run.codes == [nil, "unsupported_format", "unsupported_format", nil, "unreadable"])
    let error = try run.records.last?["error"] as? [String: Any]
    #expect(error?["message"] as? String == "No such file or directory")
    #expect(
      run.errors.hasPrefix("lqip: 2 encoded, 3 failed (2 unsupported_format, 1 unreadable) in "))
  }

  @Test func `a missing directory is reported`() throws {
    let missing = directory.file("missing")
    let message = "lqip: \(missing): No such file or directory\n"
    let run = try Program("encode", "--quiet", missing)
    #expect(run.status == 4)
    #expect(run.errors == message)
    let both = try Program("encode", missing, try directory.write("good.png"))
    #expect(both.status == 4)
    #expect(both.errors.hasPrefix(message))
    #expect(both.counts == "1 encoded, 1 failed (1 unreadable)")
  }

  @Test(arguments: ["\n", "\0", "\n\n"])
  func `a list of paths is encoded after the operands, in list order`(terminator: String) throws {
    let paths = try ["z.png", "b.png", "a b.png"].map { try directory.write($0) }
    let last = try directory.write("zz.png")
    let input = paths.map { $0 + terminator }.joined()
    for input in [input, String(input.dropLast())] {
      let run = try Program("encode", "-", last, input: input)
      #expect(run.status == 0)
      #expect(try run.paths == [last] + paths)
    }
  }

  @Test func `an NDJSON file has the records of standard output, plus stamps`() throws {
    let good = try directory.write("good.png")
    let bad = try directory.write("bad.png", [])
    let direct = try Program("encode", good, bad)
    let run = try Program("encode", "-o", directory.file("out.ndjson"), good, bad)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    let stamp = #/,"stamp":"[0-9]+ [0-9]+\.[0-9]{9} [0-9]+\.[0-9]{9} (racy )?[0-9]+ [^"]+"}/#
    let text = try directory.text(of: "out.ndjson")
    #expect(text.matches(of: stamp).count == 2)
    #expect(Array(text.replacing(stamp, with: "}").utf8) == direct.output)
    #expect(try directory.names == ["bad.png", "good.png", "out.ndjson"])
  }

  @Test(arguments: RecordFormat.allCases)
  func `the output of a truncated archive contains the records before the damage`(
    format: RecordFormat
  ) throws {
    var archive = TarArchive()
    for name in ["a.png", "b.png", "c.png"] { archive.add(name) }
    try directory.write("t.tar", archive.bytes.dropLast(700))
    let output = directory.file("out.\(format)")
    let run = try Program("encode", "--tar", directory.file("t.tar"), "-o", output)
    #expect(run.status == 4)
    #expect(run.errors.contains("cannot read archive: "))
    let text = try directory.text(of: "out.\(format)")
    #expect(text.matches(of: /image\/png/).count == 2)
    #expect(try directory.names == ["out.\(format)", "t.tar"])
  }

  @Test(arguments: [
    (["--include=*.png"], ["a.png", "d/b.png"]), (["--exclude=d"], ["a.png", "c.jpg"]),
    (["--include=*.jpg", "--exclude=a*"], ["c.jpg"]), (["--exclude=*/b*"], ["a.png", "c.jpg"]),
  ])
  func `--include and --exclude select entries of an archive`(
    options: [String], expected: [String]
  ) throws {
    var archive = TarArchive()
    for name in ["a.png", "d/b.png", "c.jpg"] { archive.add(name) }
    try directory.write("t.tar", archive.closed)
    let run = try Program(["encode", "--tar", directory.file("t.tar")] + options)
    #expect(run.status == 0)
    #expect(try run.paths == expected)
  }

  @Test func `an output named .json is one object with unique keys`() throws {
    let good = try directory.write("good.png")
    let bad = try directory.write("bad.png", [])
    let run = try Program("encode", "-o", directory.file("a.json"), good, bad, "-", input: good)
    #expect(run.status == 1)
    let read = try JSONSerialization.jsonObject(with: Data(directory.text(of: "a.json").utf8))
    let object = try #require(read as? [String: [String: Any]])
    #expect(Set(object.keys) == [good, bad])
    #expect(try directory.text(of: "a.json").split(separator: "\n").count == 4)
  }

  @Test func `a record with the profile nostr contains the digest of the file`() throws {
    let run = try Program("encode", "--profile=nostr", directory.write("good.png"))
    #expect(try run.records.first?["x"] as? String == Samples.image([], digest: true).digest?.hex)
  }

  @Test func `the output is the same for any number of jobs`() throws {
    let images = Fixtures.directory
    // Larger images are slow in a debug build, and this test checks only the order.
    let paths = try FileManager.default.subpathsOfDirectory(atPath: images.path)
      .map { "\(images.path)/\($0)" }
      .filter { try isSmallImage($0) }
    let list = paths.shuffled().joined(separator: "\n")
    let one = try Program("encode", "--timeout=600", "--jobs=1", "-", input: list)
    let eight = try Program("encode", "--timeout=600", "--jobs=8", "-", input: list)
    #expect(one.output == eight.output)
    #expect(try one.paths == list.split(separator: "\n").map(String.init))
    #expect(one.lines.count > 20)
  }

  private func isSmallImage(_ path: String) throws -> Bool {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let size = attributes[.size] as? Int ?? .max
    return ["jpg", "png"].contains(URL(fileURLWithPath: path).pathExtension) && size < 2000
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `a full disk is reported with the system error`() throws {
    let good = try directory.write("good.png")
    let direct = try Program("encode", good, "-o", "/dev/full")
    #expect(direct.status == 3)
    #expect(direct.errors == "lqip: /dev/full: cannot write: No space left on device\n")
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let piped = try Program("encode", good, output: full)
    #expect(piped.status == 3)
    #expect(piped.errors == "lqip: standard output: cannot write: No space left on device\n")
  }

  @Test func `a missing path counts as an image or, without an image extension, as a directory`()
    throws
  {
    for (name, status) in [("gone.jpg", Int32(1)), ("gone.bmp", 4), ("gone", 4)] {
      let gone = directory.file(name)
      for run in [try Program("encode", gone), try Program("encode", "-", input: gone)] {
        #expect(run.status == status)
        #expect(try run.codes == ["unreadable"])
      }
    }
  }

  @Test func `an unwritable output is reported before encoding`() throws {
    let good = try directory.write("good.png")
    let run = try Program("encode", good, "-o", directory.file("none/out"))
    #expect(run.status == 3)
    #expect(
      run.errors
        == "lqip: \(directory.file("none/out")): cannot write: the directory does not exist\n")
  }
}
