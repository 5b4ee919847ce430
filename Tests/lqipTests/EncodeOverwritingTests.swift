import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem

/// The files that `--output` can replace.
@Suite struct EncodeOverwritingTests {
  private let directory = TemporaryDirectory()
  /// A photo without an extension: an image extension is rejected before the content is checked.
  private let photo: String

  init() throws {
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
  func `an output never replaces an image, even with --force`(arguments: [String]) throws {
    let other = try directory.write("other.png")
    let names = ["PHOTO": photo, "d": directory.file("d"), "other.png": other]
    let run = try Program(
      arguments.map { names[$0] ?? $0 } + ["-o", photo],
      input: arguments.contains("-") ? photo : "")
    #expect(run.status == 3)
    #expect(try isPhotoUntouched)
  }

  @Test(arguments: [
    ["encode", "PHOTO", "-o", "out"], ["encode", "PHOTO", "-o", "out.json"],
    ["encode", "PHOTO", "-o", "out.csv"], ["encode", "EMPTY", "-o", "out.json"],
    ["encode", "PHOTO", "--profile=mastodon", "-o", "out.ndjson"],
    ["encode", "PHOTO", "--profile=activitypub", "-o", "out.ndjson"],
    ["encode", "PHOTO", "--profile=nostr", "-o", "out.csv"], ["gallery", "PHOTO", "-o", "out"],
    ["encode", "PHOTO", "--profile=matrix", "--kinds=palette", "-o", "out.json"],
    ["css", "-o", "out"], ["decode", "LEHV6nWB2yk8pyo0adR*.7kCMdnj", "-o", "out"],
    ["encode", "PHOTO", "BROKEN", "--text=lqip", "-o", "out"],
    ["encode", "PHOTO", "--text=svg", "-o", "out"],
    ["encode", "PHOTO", "--text=lqip", "--lqip=six", "-o", "out"],
    ["encode", "PHOTO", "--text=palette", "-o", "out"],
    ["encode", "BROKEN", "-o", "out.json"], ["encode", "BROKEN", "-o", "out.csv"],
    ["encode", "BROKEN", "PHOTO", "-o", "out.ndjson"],
  ])
  func `an earlier output of lqip is replaced without --force`(arguments: [String]) throws {
    _ = try directory.makeDirectory("e")
    let broken = try directory.write("broken.png", Array("broken".utf8))
    let names = ["PHOTO": photo, "EMPTY": directory.file("e"), "BROKEN": broken]
    for _ in 0..<2 {
      let run = try Program(arguments.map { names[$0] ?? $0 }, directory: directory.path)
      let status: Int32 =
        arguments.contains("EMPTY") ? 4 : arguments.contains("BROKEN") ? 1 : 0
      #expect(run.status == status, "\(run.errors)")
    }
  }

  @Test(arguments: ["plain", "mastodon", "matrix", "activitypub", "nostr"])
  func `the earlier record of one image without a path is replaced`(profile: String) throws {
    for _ in 0..<2 {
      let run = try Program(
        ["encode", "--stdin", "--profile", profile, "-o", directory.file("out")],
        bytes: TemporaryDirectory.png)
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  @Test func `a stylesheet of the other kind is replaced, but not one with other rules`() throws {
    let sheet = directory.file("a.css")
    for kind in ["lqip", "css", "lqip"] {
      #expect(try Program("css", "--kind", kind, "-o", sheet).status == 0)
    }
    try directory.write("a.css", Array("\(directory.text(of: "a.css"))body { color: red }\n".utf8))
    #expect(try Program("css", "-o", sheet).status == 3)
  }

  @Test(arguments: [
    ("a.csv", "path,width,height\na.png,1,2\n"), ("a.ndjson", #"{"width":100,"height":50}"#),
    ("a.ndjson", "{}\n"), ("notes", "do not lose this\n"), ("a.json", #"{"a":{"width":100}}"#),
    ("a.ndjson", " "), ("a.json", "{\n\"b\": 1,\n\"a\": {\n\"width\": 2\n}\n}"),
    ("a.ndjson", #"{"path":"a","mine":1}"#), ("a.json", #"{"width":100,"mine":1}"#),
    ("a.csv", "path,path_base64,mine\r\n"), ("lines", "#11223344\nno placeholder\n"),
  ])
  func `a file that does not look like lqip output is replaced only with --force`(
    name: String, text: String
  ) throws {
    let file = try directory.write(name, Array(text.utf8))
    let run = try Program("encode", photo, "-o", file)
    #expect(run.status == 3)
    #expect(
      run.errors == "lqip: \(file) exists but does not look like lqip output; "
        + "pass --force to replace it\n")
    #expect(try directory.text(of: name) == text)
    #expect(try Program("encode", photo, "-o", file, "--force").status == 0)
    #expect(try directory.text(of: name).contains(photo))
  }

  @Test func `an output that is a dangling link is written to its target`() throws {
    try directory.link("link", to: "d/target")
    #expect(try Program("encode", photo, "-o", directory.file("link")).status == 0)
    #expect(try directory.text(of: "d/target").hasPrefix("{\"path\":"))
    let link = try FileStatus(of: FilePath(directory.file("link")), followsLinks: false)
    #expect(link.kind == .symbolicLink)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/stdout")))
  func `-o /dev/stdout writes at the current offset of standard output`() throws {
    let file = try directory.write("log", Array("before\n".utf8))
    let log = try #require(FileHandle(forUpdatingAtPath: file))
    try log.seekToEnd()
    #expect(try Program("encode", photo, "-o", "/dev/stdout", output: log).status == 0)
    #expect(try directory.text(of: "log").hasPrefix("before\n{\"path\":"))
  }

  #if os(Linux)
  @Test func `with --force, an unreadable file is replaced`() throws {
    let file = try directory.write("out", Array("text\n".utf8))
    let faults = try FaultyFiles()
    let environment = faults.failing("open", of: "/out", with: EACCES)
    let arguments = ["encode", photo, "-o", file]
    #expect(try Program(arguments, environment: environment).status == 3)
    #expect(try Program(arguments + ["--force"], environment: environment).status == 0)
    #expect(try directory.text(of: "out").hasPrefix("{\"path\":"))
  }

  @Test(arguments: ["encode", "gallery"])
  func `an error creating the draft is reported as a problem with the directory`(
    command: String
  ) throws {
    let image = try directory.write("a.png")
    let output = directory.file("o")
    try directory.write("o", [])
    let faults = try FaultyFiles()
    let run = try Program(
      [command, image, "-o", output],
      environment: faults.failing("open", of: ".o.part", with: EACCES))
    #expect(run.status == 3)
    #expect(
      run.errors == """
        lqip: \(output): cannot write: failed to create a temporary file in the same directory: \
        Permission denied

        """)
  }
  #endif
}
