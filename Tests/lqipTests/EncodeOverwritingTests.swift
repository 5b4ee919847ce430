import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles

/// What `--output` may replace.
@Suite struct EncodeOverwritingTests {
  private let directory: TemporaryDirectory
  /// Its name does not say what it is, or a name would be refused before its content is looked at.
  private let photo: String

  init() throws {
    directory = try TemporaryDirectory()
    photo = try directory.write("d/a")
  }

  private var isPhotoUntouched: Bool {
    get throws {
      try Data(contentsOf: URL(fileURLWithPath: photo)) == Data(TemporaryDirectory.png)
    }
  }

  @Test(arguments: [
    ["encode", "PHOTO"], ["encode", "PHOTO", "--force"], ["encode", "d", "--force"],
    ["gallery", "PHOTO", "--force"], ["encode", "-", "--force"], ["encode", "--tar", "PHOTO"],
    ["encode", "other.png"], ["decode", "LEHV6nWB2yk8pyo0adR*.7kCMdnj"], ["css"],
    ["gallery", "other.png"],
  ])
  func `a photograph is not replaced`(arguments: [String]) throws {
    let other = try directory.write("other.png")
    let names = ["PHOTO": photo, "d": directory.file("d"), "other.png": other]
    let run = try Program(
      arguments.map { names[$0] ?? $0 } + ["-o", photo],
      input: arguments.contains("-") ? photo : "")
    #expect(run.status == 3)
    #expect(try isPhotoUntouched)
  }

  @Test func `what is no output is replaced by force only`() throws {
    let file = try directory.write("notes", Array("do not lose this\n".utf8))
    #expect(try Program("encode", photo, "-o", file).status == 3)
    #expect(try directory.text(of: "notes") == "do not lose this\n")
    #expect(try Program("encode", photo, "-o", file, "--force").status == 0)
    #expect(try directory.text(of: "notes").hasPrefix("{\"path\":"))
  }

  @Test(arguments: [
    ["encode", "PHOTO"], ["encode", "PHOTO", "--format=json"], ["encode", "PHOTO", "--format=csv"],
    ["encode", "PHOTO", "--profile=mastodon", "--fields=blurhash"], ["gallery", "PHOTO"], ["css"],
    ["encode", "PHOTO", "--fields=path,width,frame_count"], ["encode", "PHOTO", "--fields=lqip2"],
    ["encode", "PHOTO", "--fields=height", "--format=json"],
    ["encode", "PHOTO", "--profile=next", "--base=/"],
    ["encode", "PHOTO", "--profile=nostr", "--fields=m,x"],
    ["encode", "PHOTO", "--profile=mastodon", "--fields=meta", "--format=csv"],
    ["encode", "PHOTO", "--profile=hugo", "--base=/", "--kinds=palette"],
    ["decode", "LEHV6nWB2yk8pyo0adR*.7kCMdnj"],
  ])
  func `an output of this program is replaced`(arguments: [String]) throws {
    let file = directory.file("out")
    for _ in 0..<2 {
      let run = try Program(arguments.map { $0 == "PHOTO" ? photo : $0 } + ["-o", file])
      #expect(run.status == 0)
      #expect(run.errors == "")
    }
  }

  @Test(arguments: [
    ("a.csv", "path,width,height\na.png,1,2\n"), ("a.ndjson", #"{"width":100,"height":50}"#),
    ("a.ndjson", "{}\n"), ("a.ndjson", #"{"path":"a","error":"none"}"#),
    ("a.json", "{\n\"a\":{\"width\":100}\n}\n"),
    ("a.ndjson", #"{"path":"site/a.html","css":"a.css"}"#),
    ("a.ndjson", #"{"path":"a.md","preview":"Hello"}"#),
    ("a.ndjson", #"{"path":"a","palette":"dark","width":3}"#),
  ])
  func `a file that only uses the same names is replaced by force only`(
    name: String, text: String
  ) throws {
    let file = try directory.write(name, Array(text.utf8))
    let run = try Program("encode", photo, "-o", file)
    #expect(run.status == 3)
    #expect(
      run.errors == "lqip: \(file) was not written by lqip; pass --force to "
        + "replace it\n")
    #expect(try directory.text(of: name) == text)
  }

  @Test func `a merged output without a placeholder is replaced by the next`() throws {
    let part = directory.file("part")
    #expect(try Program("encode", photo, "-o", part, "--fields=path,width").status == 0)
    for _ in 0..<2 {
      #expect(try Program("merge", part, "-o", directory.file("out")).status == 0)
    }
  }

  @Test func `a file that is no summary is told before the work begins`() throws {
    let file = try directory.write("notes", Array("do not lose this\n".utf8))
    let output = directory.file("out.ndjson")
    let run = try Program("encode", photo, "-o", output, "--summary", file)
    #expect(run.status == 3)
    #expect(
      run.errors == "lqip: \(file) was not written by lqip; pass --force to "
        + "replace it\n")
    #expect(try directory.names == ["d", "notes"])
  }

  @Test func `a summary that cannot be written is told before the work begins`() throws {
    let file = directory.file("none/x.json")
    let run = try Program("encode", photo, "-o", directory.file("out"), "--summary", file)
    #expect(run.status == 3)
    #expect(run.errors == "lqip: \(file): cannot write: No such file or directory\n")
    #expect(try directory.names == ["d"])
  }

  @Test func `a name that nothing has leaves the output as it was`() throws {
    let file = directory.file("out.ndjson")
    #expect(try Program("encode", photo, "-o", file).status == 0)
    let before = try directory.text(of: "out.ndjson")
    let run = try Program("encode", directory.file("nothing"), "-o", file)
    #expect(run.status == 4)
    #expect(
      run.errors.contains("\(file): unchanged, because the input could not be listed completely"))
    #expect(try directory.text(of: "out.ndjson") == before)
  }

  @Test func `records and counts do not go into one file`() throws {
    let file = directory.file("out")
    let run = try Program("encode", photo, "-o", file, "--summary", "\(directory.file("."))/out")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("lqip: --summary and --output cannot be the same file"))
  }

  @Test func `a link that leads nowhere is followed`() throws {
    try directory.link("link", to: "d/target")
    #expect(try Program("encode", photo, "-o", directory.file("link")).status == 0)
    #expect(try directory.text(of: "d/target").hasPrefix("{\"path\":"))
    let link = try FileStatus(of: FilePath(directory.file("link")), followsLinks: false)
    #expect(link.kind == .symbolicLink)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/stdout")))
  func `standard output by its name goes on where the shell is`() throws {
    let file = try directory.write("log", Array("before\n".utf8))
    let log = try #require(FileHandle(forUpdatingAtPath: file))
    try log.seekToEnd()
    #expect(try Program("encode", photo, "-o", "/dev/stdout", output: log).status == 0)
    #expect(try directory.text(of: "log").hasPrefix("before\n{\"path\":"))
  }

  #if os(Linux)
  @Test(arguments: [".o.journal", ".tmp"])
  func `a file that is there is told from its directory, in which nothing can be made`(
    suffix: String
  ) throws {
    let image = try directory.write("a.png")
    let output = directory.file("o")
    try directory.write("o", [])
    let command = suffix == ".tmp" ? "gallery" : "encode"
    let faults = try FaultyFiles()
    let run = try Program(
      [command, image, "-o", output],
      environment: faults.failing("open", of: suffix, with: EACCES))
    #expect(run.status == 3)
    #expect(
      run.errors == """
        lqip: \(output): cannot write: cannot create a temporary file in its directory: \
        Permission denied

        """)
  }
  #endif
}
