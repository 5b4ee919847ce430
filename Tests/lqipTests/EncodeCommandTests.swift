import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords
@testable import lqip

@Suite struct EncodeCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `good images give records, no words and exit code 0`() throws {
    try directory.write("d/b.png")
    try directory.write("d/a/c.png")
    let run = try Program("encode", directory.file("d"))
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(try run.paths == [directory.file("d/a/c.png"), directory.file("d/b.png")])
    #expect(try run.codes == [nil, nil])
  }

  @Test func `bad files have their records and the others' are all there`() throws {
    let good = try directory.write("1-good.png")
    let empty = try directory.write("2-empty.jpg", [])
    let text = try directory.write("3-text.jpg", Array("hello, hello, hello".utf8))
    let png = try directory.write("4-png.jpg")
    let missing = directory.file("5-missing.png")
    let run = try Program("encode", missing, png, text, empty, good)
    #expect(run.status == 1)
    #expect(try run.paths == [good, empty, text, png, missing])
    #expect(
      try run.codes == [nil, "unsupported_format", "unsupported_format", nil, "unreadable"])
    let error = try run.records.last?["error"] as? [String: Any]
    #expect(error?["message"] as? String == "No such file or directory")
    #expect(
      run.errors.hasPrefix("lqip: 2 encoded, 3 failed (2 unsupported_format, 1 unreadable) in "))
  }

  @Test func `the counts are told always, never, or when something failed`() throws {
    let good = try directory.write("good.png")
    let bad = try directory.write("bad.png", [])
    #expect(try Program("encode", "--progress=auto", good).errors == "")
    let told = try Program("encode", "--progress=always", good)
    #expect(told.errors.hasPrefix("lqip: 1 encoded, 0 failed in "))
    let untold = try Program("encode", "--progress=never", good, bad)
    #expect(untold.status == 1)
    #expect(untold.errors.hasPrefix("lqip: 1 encoded, 1 failed (1 unsupported_format) in "))
    let quiet = try Program("encode", "--quiet", good, bad)
    #expect(quiet.status == 1)
    #expect(quiet.errors == "")
  }

  @Test(.disabled(if: getuid() == 0, "everything is readable for root"))
  func `what may not be read has its record`() throws {
    let file = try directory.write("d/a.png")
    let hidden = try directory.makeDirectory("d/b")
    let good = try directory.write("d/c.png")
    for path in [file, hidden] {
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    }
    let run = try Program("encode", directory.file("d"))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: hidden)
    #expect(run.status == 4)
    #expect(try run.paths == [file, hidden, good])
    #expect(try run.codes == ["unreadable", "unreadable", nil])
  }

  @Test func `a missing directory is one line on standard error`() throws {
    let missing = directory.file("missing")
    for option in ["--progress=auto", "--progress=always", "--quiet"] {
      let run = try Program("encode", option, missing)
      #expect(run.status == 4)
      #expect(run.errors == "lqip: \(missing): No such file or directory\n")
    }
    let both = try Program("encode", "--progress=always", missing, try directory.write("good.png"))
    #expect(both.status == 4)
    #expect(both.counts == "1 encoded, 1 failed (1 unreadable)")
  }

  @Test func `a directory without images is a message and exit code 4`() throws {
    let empty = try directory.makeDirectory("empty")
    let good = try directory.write("good.png")
    let run = try Program("encode", empty, good)
    #expect(run.status == 4)
    #expect(try run.paths == [good])
    #expect(run.errors == "lqip: \(empty): no images found (pass --allow-empty to accept this)\n")
    let allowed = try Program("encode", "--allow-empty", empty, good)
    #expect(allowed.status == 0)
    #expect(allowed.errors == "")
  }

  @Test func `paths on standard input follow the others in their order`() throws {
    let paths = try ["z.png", "b.png", "a b.png"].map { try directory.write($0) }
    let last = try directory.write("zz.png")
    let input = paths.joined(separator: "\n\n") + "\n"
    let run = try Program("encode", "-", last, input: input)
    #expect(run.status == 0)
    #expect(try run.paths == [last] + paths)
  }

  @Test func `the output file holds what standard output would`() throws {
    let good = try directory.write("good.png")
    let bad = try directory.write("bad.png", [])
    let direct = try Program("encode", good, bad)
    let run = try Program("encode", "-o", directory.file("out.ndjson"), good, bad)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    let stamp = #/(,"bytes":0)?,"modified":"[-:.0-9TZ]+","encoder":"[0-9]+"/#
    let text = try directory.text(of: "out.ndjson").replacing(stamp, with: "")
    #expect(Array(text.utf8) == direct.output)
    #expect(try directory.names == ["bad.png", "good.png", "out.ndjson"])
  }

  @Test func `an output named .json is one object, in which a path is once`() throws {
    let good = try directory.write("good.png")
    let bad = try directory.write("bad.png", [])
    let run = try Program("encode", "-o", directory.file("a.json"), good, bad, "-", input: good)
    #expect(run.status == 1)
    let read = try JSONSerialization.jsonObject(with: Data(directory.text(of: "a.json").utf8))
    let object = try #require(read as? [String: [String: Any]])
    #expect(Set(object.keys) == [good, bad])
    #expect(try directory.text(of: "a.json").split(separator: "\n").count == 4)
  }

  @Test func `what a profile needs is computed`() throws {
    let run = try Program("encode", "--profile=nostr", directory.write("good.png"))
    #expect(try run.records.first?["x"] as? String == Samples.image([], digest: true).digest?.hex)
  }

  @Test func `the repository's images give the same bytes for any jobs`() throws {
    let images = Fixtures.directory
    // The larger ones take long without optimization, and the order is what matters here.
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
  func `a full disk is an error with the system's reason`() throws {
    let good = try directory.write("good.png")
    let direct = try Program("encode", good, "-o", "/dev/full")
    #expect(direct.status == 3)
    #expect(direct.errors == "lqip: /dev/full: cannot write: No space left on device\n")
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let piped = try Program("encode", good, output: full)
    #expect(piped.status == 3)
    #expect(piped.errors == "lqip: standard output: cannot write: No space left on device\n")
  }

  @Test func `a reader that goes away ends the run without a word`() throws {
    let good = try directory.write("good.png")
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let run = try Program("encode", good, output: pipe.fileHandleForWriting)
    #expect(run.status == 141)
    #expect(run.errors == "")
  }

  @Test func `a path that is not there is a failed image by its name, or else a missing directory`()
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

  @Test func `a list with Windows line ends is told where its paths are not found`() throws {
    let good = try directory.write("good.png")
    let run = try Program("encode", "--quiet", "-", input: "\(good)\n\(good)\r\n")
    #expect(run.status == 4)
    #expect(try run.codes == [nil, "unreadable"])
    #expect(
      run.errors
        == "lqip: \(good)?: No such file or directory; line 2 ends with a carriage return "
        + "(Windows line endings)\n")
    // Where lines end otherwise, it is a byte like others.
    let other = try Program("encode", "--quiet", "--null", "-", input: "\(good)\r\0")
    #expect(other.status == 4)
    #expect(other.errors == "lqip: \(good)?: No such file or directory\n")
  }

  @Test func `an output that cannot be written is found before the work`() throws {
    let good = try directory.write("good.png")
    let run = try Program("encode", good, "-o", directory.file("none/out"))
    #expect(run.status == 3)
    #expect(
      run.errors
        == "lqip: \(directory.file("none/out")): cannot write: No such file or directory\n")
  }

  @Test(.disabled(if: getuid() == 0, "everything is writable for root"))
  func `an output in a directory without permission is the system's reason`() throws {
    let good = try directory.write("good.png")
    let closed = try directory.makeDirectory("closed")
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: closed)
    let run = try Program("encode", good, "-o", "\(closed)/out")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed)
    #expect(run.status == 3)
    #expect(run.errors == "lqip: \(closed)/out: cannot write: Permission denied\n")
  }

  @Test func `the limit on bytes comes before reading`() throws {
    let good = try directory.write("good.png")
    let run = try Program("encode", "--max-bytes=10", good)
    #expect(run.status == 1)
    #expect(try run.codes == ["too_large"])
  }

  #if os(Linux)
  @Test func `a name that is not UTF-8 goes in and comes out by its bytes`() throws {
    let name: [UInt8] = Array("\(directory.path)/a\u{FF}".utf8.dropLast(2)) + [0xFE] + ".png".utf8
    let source = try directory.write("source")
    let script = "cp \"$1\" \"$(printf '%s/a\\376.png' \"$2\")\""
    let copy = Process()
    copy.executableURL = URL(fileURLWithPath: "/bin/sh")
    copy.arguments = ["-c", script, "sh", source, directory.path]
    try copy.run()
    copy.waitUntilExit()
    let run = try Program("encode", directory.path)
    #expect(run.status == 0)
    #expect(try run.records.first?["path_base64"] as? String == Data(name).base64EncodedString())
  }
  #endif
}
