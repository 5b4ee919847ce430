import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import LqipFiles
@testable import LqipRecords
@testable import lqip

/// What `encode --update` makes anew and what not.
@Suite struct EncodeUpdateTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["a", "b/c", "d", "e"] { try directory.write("images/\(name).png") }
    try directory.write("images/broken.png", [1, 2, 3])
    try directory.write("images/zero.png", [])
  }

  /// Runs the command over the directory, and gives its counts without the time they took.
  private func counts(
    _ options: [String] = ["--update"], to output: String = "out",
    environment: [String: String] = [:]
  ) throws -> String {
    let run = try Program(
      ["encode", "--progress=always", "-o", directory.file(output), directory.file("images")]
        + options, environment: environment)
    #expect(run.status == (run.errors.contains(", 0 failed") ? 0 : 1))
    let hidden = try directory.names.filter { $0.hasPrefix(".") }
    #expect(hidden == [])
    return try #require(run.counts)
  }

  private func output() throws -> String {
    try directory.text(of: "out")
  }

  /// The names of the images that have a record, in its order.
  private func names() throws -> [String] {
    let start = directory.file("images/").utf8.count
    let records = try output().split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    return records.compactMap { ($0?["path"] as? String).map { String($0.dropFirst(start)) } }
  }

  private static let layouts = RecordFormat.allCases.map { ["--format", $0.rawValue] }
  private static let reused = "0 encoded, 4 reused, 2 failed (2 unsupported_format)"
  private static let encoded = "4 encoded, 2 failed (2 unsupported_format)"

  @Test(
    arguments: layouts
      + layouts.flatMap { [$0 + ["--profile=mastodon"], $0 + ["--fields=lqip", "--checksum"]] })
  func `a second run encodes nothing and writes the same bytes`(layout: [String]) throws {
    #expect(try counts(layout + ["--update"]) == Self.encoded)
    let first = try output()
    #expect(try counts(layout + ["--update"]) == Self.reused)
    #expect(try output() == first)
    #expect(first.contains("broken.png"))
  }

  @Test func `a run without the option leaves all that the next one needs`() throws {
    #expect(try counts([]) == Self.encoded)
    let first = try output()
    #expect(try counts() == Self.reused)
    #expect(try output() == first)
    #expect(try counts([]) == Self.encoded)
  }

  @Test func `what was touched, has grown or is new is encoded, and nothing else`() throws {
    _ = try counts()
    try directory.setModified("images/a.png", 1_000_000_000)
    try directory.write("images/d.png", TemporaryDirectory.png + [0])
    try directory.write("images/b/new.png")
    #expect(
      try counts() == "3 encoded, 2 reused, 2 failed (2 unsupported_format)")
    let first = try output()
    #expect(try counts() == "0 encoded, 5 reused, 2 failed (2 unsupported_format)")
    #expect(try output() == first)
    _ = try counts([], to: "whole")
    #expect(try directory.text(of: "whole") == first)
  }

  @Test(arguments: [
    "--lqip=six", "--blurhash=fitted", "--components=1x1", "--background=black", "--no-orient",
    "--exact", "--lenient", "--verify", "--profile=matrix", "--fields=blurhash",
  ])
  func `other choices make all records anew`(option: String) throws {
    _ = try counts()
    #expect(try counts([option, "--update"]) == Self.encoded)
    #expect(try counts([option, "--update"]) == Self.reused)
  }

  @Test(arguments: [
    "--timeout=9", "--jobs=1", "--sandbox=off", "--hidden", "--checksum", "--max-bytes=1K",
    "--max-pixels=100", "--max-memory=1G",
  ])
  func `choices that change no record reuse all`(option: String) throws {
    _ = try counts()
    #expect(try counts([option, "--update"]) == Self.reused)
  }

  @Test func `a record of other algorithms is made anew`() throws {
    _ = try counts()
    let first = try output()
    let old = first.replacing(
      #""encoder":"\#(PlaceholderEncoder.algorithmVersion)""#, with: #""encoder":"0""#)
    try #require(old != first)
    try directory.write("out", Array(old.utf8))
    #expect(try counts() == Self.encoded)
    #expect(try output() == first)
  }

  @Test func `records of files that are gone are dropped, or kept where they were`() throws {
    _ = try counts()
    let all = ["a.png", "b/c.png", "broken.png", "d.png", "e.png", "zero.png"]
    #expect(try names() == all)
    for name in ["a.png", "b", "e.png"] {
      try FileManager.default.removeItem(atPath: directory.file("images/\(name)"))
    }
    try directory.setModified("images/d.png", 1_000_000_000)
    #expect(
      try counts(["--update", "--keep-missing"])
        == "1 encoded, 2 failed (2 unsupported_format)")
    #expect(try names() == all)
    #expect(try counts() == "0 encoded, 1 reused, 2 failed (2 unsupported_format), 3 dropped")
    #expect(try names() == ["broken.png", "d.png", "zero.png"])
  }

  @Test func `by content, a new time changes nothing and new bytes do`() throws {
    let option = ["--update", "--checksum"]
    _ = try counts(option)
    let first = try output()
    #expect(!first.contains("modified"))
    for name in ["a", "d", "broken"] {
      try directory.setModified("images/\(name).png", 1_000_000_000)
    }
    #expect(try counts(option) == Self.reused)
    #expect(try output() == first)
    // As long and as old as before.
    try directory.write("images/a.png", Array(TemporaryDirectory.png.reversed()))
    try directory.setModified("images/a.png", 1_000_000_000)
    #expect(
      try counts(option) == "0 encoded, 3 reused, 3 failed (3 unsupported_format)")
  }

  @Test func `by time, new bytes of the same length and time go unseen`() throws {
    try directory.setModified("images/a.png", 1_000_000_000)
    _ = try counts()
    try directory.write("images/a.png", Array(TemporaryDirectory.png.reversed()))
    try directory.setModified("images/a.png", 1_000_000_000)
    #expect(try counts() == Self.reused)
  }

  @Test func `what failed for a reason of the moment is tried again`() throws {
    let faults = try FaultyFiles()
    defer { withExtendedLifetime(faults) {} }
    let hanging = faults.failing("hang", of: ".png")
    let option = ["--update", "--sandbox=off", "--timeout=0.2"]
    for _ in 0..<2 {
      #expect(
        try counts(option, environment: hanging)
          == "0 encoded, 6 failed (6 timeout)")
    }
    #expect(try counts() == Self.encoded)
    #expect(try counts(option, environment: hanging) == Self.reused)
  }

  @Test func `a file that was not there is looked for again`() throws {
    let missing = directory.file("later.png")
    let arguments = ["encode", "--update", "-o", directory.file("out"), missing]
    #expect(try Program(arguments).status == 1)
    try directory.write("later.png")
    #expect(try Program(arguments).status == 0)
    #expect(try output().contains("blurhash"))
  }

  @Test func `a path that comes twice is reused twice`() throws {
    let image = try directory.write("images/a.png")
    for expected in ["2 encoded, ", "0 encoded, 2 reused, "] {
      let run = try Program(
        "encode", "--update", "--progress=always", "-o", directory.file("out"), image, "-",
        input: image)
      #expect(run.errors.hasPrefix("lqip: \(expected)"))
      #expect(try names() == ["a.png", "a.png"])
    }
  }

  @Test(arguments: RecordFormat.allCases)
  func `an old output that is damaged is no reason to fail`(format: RecordFormat) throws {
    let option = ["--update", "--force", "--format", format.rawValue]
    _ = try counts(option)
    let whole = try output()
    let bytes = Array(whole.utf8)
    for damaged in [
      [], Array(bytes.dropLast(400)), Array(bytes.dropFirst()),
      Array(whole.replacing("\"", with: "'").utf8),
      [UInt8](repeating: 0, count: 100_000),
    ] {
      try directory.write("out", damaged)
      _ = try counts(option)
      #expect(try output() == whole)
    }
  }

  @Test func `records of files behind a link that leads nowhere at the time stay`() throws {
    try directory.write("disk/d/x.png")
    try directory.link("images/c", to: "../disk/d")
    let options = ["--update", "--follow"]
    #expect(try counts(options) == "5 encoded, 2 failed (2 unsupported_format)")
    let first = try output()
    try FileManager.default.moveItem(atPath: directory.file("disk"), toPath: directory.file("away"))
    #expect(try counts(options) == Self.reused + ", 1 skipped")
    #expect(try output() == first)
  }

  @Test func `an output that is a link stays one`() throws {
    try directory.write("real/records", [])
    try directory.link("out", to: "real/records")
    #expect(try counts() == Self.encoded)
    #expect(try counts() == Self.reused)
    #expect(
      try FileStatus(of: FilePath(directory.file("out")), followsLinks: false).kind == .symbolicLink
    )
    let real = try FileManager.default.contentsOfDirectory(atPath: directory.file("real"))
    #expect(real == ["records"])
  }

  @Test func `the output and what belongs to it are no images`() throws {
    for _ in 0..<2 { _ = try counts(to: "images/out.json") }
    #expect(try counts(to: "images/out.json") == Self.reused)
  }
}
