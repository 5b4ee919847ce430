import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import PlaceholderEncoding

/// The records that `encode --update` reuses, and the images that it encodes again.
@Suite struct EncodeUpdateTests {
  private let directory = TemporaryDirectory()

  init() throws {
    for name in ["a", "b/c", "d", "e"] { try directory.write("images/\(name).png") }
    try directory.write("images/broken.png", [1, 2, 3])
    try directory.write("images/zero.png", [])
  }

  /// Encodes the directory and returns the counts.
  private func counts(
    _ options: [String] = ["--update"], to output: String = "out.ndjson",
    environment: [String: String] = [:]
  ) throws -> String {
    if environment.isEmpty { try directory.settle() }
    let run = try Program(
      ["encode", "-o", directory.file(output), directory.file("images")] + options,
      environment: environment)
    #expect(run.status == 1)
    let hidden = try directory.names.filter { $0.hasPrefix(".") }
    #expect(hidden == [])
    return try #require(run.counts)
  }

  private func output() throws -> String {
    try directory.text(of: "out.ndjson")
  }

  private static let failed = "2 failed (2 unsupported_format)"
  private static let reused = "0 encoded, 4 reused, \(failed)"
  private static let encoded = "4 encoded, \(failed)"

  @Test(arguments: [[], ["--update"]])
  func `an update without changes keeps the output's inode and modification time`(
    firstOptions: [String]
  ) throws {
    #expect(try counts(firstOptions) == Self.encoded)
    let (first, path) = (try output(), FilePath(directory.file("out.ndjson")))
    let status = try FileStatus(of: path, followsLinks: false)
    #expect(try counts() == Self.reused)
    #expect(try output() == first)
    let after = try FileStatus(of: path, followsLinks: false)
    #expect(after.identity == status.identity)
    #expect(after.changed == status.changed)
  }

  @Test func `records without a member that a later version added are reused`() throws {
    #expect(try counts() == Self.encoded)
    let old = try output().replacing(#","complete":true"#, with: "")
    #expect(try old != output())
    try directory.write("out.ndjson", Array(old.utf8))
    #expect(try counts() == Self.reused)
    #expect(try output() == old)
  }

  @Test func `an update encodes only new, touched, grown and replaced files`() throws {
    _ = try counts()
    try directory.setModified("images/a.png", 1_000_000_000)
    try directory.write("images/d.png", TemporaryDirectory.png + [0])
    try directory.write("images/b/new.png")
    #expect(try counts() == "3 encoded, 2 reused, \(Self.failed)")
    let first = try output()
    #expect(try counts() == "0 encoded, 5 reused, \(Self.failed)")
    _ = try counts([], to: "complete.ndjson")
    #expect(try directory.text(of: "complete.ndjson") == first)
  }

  @Test func `an update encodes a changed file whose modification time was reset`() throws {
    try directory.setModified("images/a.png", 1_000_000_000)
    _ = try counts()
    try directory.write("images/a.png", Array(TemporaryDirectory.png.reversed()))
    try directory.setModified("images/a.png", 1_000_000_000)
    #expect(try counts() == "0 encoded, 3 reused, 3 failed (3 unsupported_format)")
  }

  #if os(Linux)
  @Test func `images that failed with a transient error are retried`() throws {
    let faults = try FaultyFiles()
    defer { withExtendedLifetime(faults) {} }
    let hanging = faults.failing("hang", of: ".png")
    let options = ["--update", "--sandbox=off", "--timeout=0.2"]
    try directory.settle()
    for _ in 0..<2 {
      #expect(try counts(options, environment: hanging) == "0 encoded, 6 failed (6 timeout)")
    }
    #expect(try counts() == Self.encoded)
    #expect(try counts(options, environment: hanging) == Self.reused)
  }
  #endif

  @Test(arguments: [
    "--lqip=six", "--blurhash=fitted", "--components=1x1", "--background=black", "--exact",
    "--lenient", "--verify", "--kinds=thumbhash", "--max-bytes=1K", "--max-pixels=100",
  ])
  func `all images are encoded again after a change of settings`(option: String) throws {
    _ = try counts()
    #expect(try counts([option, "--update"]) == Self.encoded)
    #expect(try counts([option, "--update"]) == Self.reused)
  }

  @Test(arguments: ["--timeout=9", "--jobs=1", "--sandbox=off", "--follow", "--exclude=x"])
  func `all records are reused if the changed option does not affect them`(option: String)
    throws
  {
    _ = try counts()
    #expect(try counts([option, "--update"]) == Self.reused)
  }

  @Test func `images are encoded again if their records have another algorithm version`() throws {
    _ = try counts()
    let first = try output()
    let old = first.replacing(
      " \(PlaceholderEncoder.algorithmVersion) blurhash,lqip\"", with: " 0 blurhash,lqip\"")
    try #require(old != first)
    try directory.write("out.ndjson", Array(old.utf8))
    #expect(try counts() == Self.encoded)
    #expect(try output() == first)
  }

  @Test(arguments: ["preview", "svg"])
  func `images are encoded again if their previews are from another libwebp version`(kind: String)
    throws
  {
    _ = try counts(["--update", "--kinds", kind])
    let first = try output()
    let version = try #require(CodecLibrary.libwebp.version)
    let old = first.replacing(" libwebp=\(version)\"", with: " libwebp=0.1.0\"")
    try #require(old != first)
    try directory.write("out.ndjson", Array(old.utf8))
    #expect(try counts(["--update", "--kinds", kind]) == Self.encoded)
    #expect(try output() == first)
  }

  @Test func `the stamps of records without WebP previews do not depend on libwebp`() throws {
    _ = try counts(["--update", "--kinds", "lqip"])
    #expect(!(try output().contains("libwebp")))
    _ = try counts(["--update", "--kinds=preview", "--preview-format=jpeg"])
    #expect(!(try output().contains("libwebp")))
  }

  @Test func `an update of an output that is a symbolic link keeps the link`() throws {
    try directory.write("real/records", [])
    try directory.link("out.ndjson", to: "real/records")
    #expect(try counts() == Self.encoded)
    #expect(try counts() == Self.reused)
    let link = try FileStatus(of: FilePath(directory.file("out.ndjson")), followsLinks: false)
    #expect(link.kind == .symbolicLink)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.file("real")) == ["records"])
  }

  @Test func `an output in the image directory is not encoded`() throws {
    for _ in 0..<2 { _ = try counts(to: "images/out") }
    #expect(try counts(to: "images/out") == Self.reused)
  }

  @Test(arguments: [
    ("reversed", 2), ("repeated", 7), ("another line", 3), ("a truncated line", 2), ("a table", 1),
  ])
  func `a damaged or unsorted old output is rejected with the line number`(
    damage: String, number: Int
  ) throws {
    _ = try counts()
    var lines = try output().split(separator: "\n").map(String.init)
    switch damage {
    case "reversed": lines.reverse()
    case "repeated": lines += lines.suffix(1)
    case "another line": lines.insert("hello", at: 2)
    case "a truncated line": lines[1].removeLast(9)
    default: lines = ["path,path_base64,width"]
    }
    let text = lines.map { "\($0)\n" }.joined()
    try directory.write("out.ndjson", Array(text.utf8))
    let run = try Program(
      "encode", "--update", "-o", directory.file("out.ndjson"), directory.file("images"))
    #expect(run.status == 3)
    #expect(run.errors.hasPrefix("lqip: \(directory.file("out.ndjson")), line \(number): "))
    #expect(run.errors.contains("encode without --update to replace it"))
    #expect(try output() == text)
    #expect(try counts([]) == Self.encoded)
  }

  @Test(arguments: [["images", "images/.h.png"], ["-"]])
  func `an update with unsorted paths ends with a hint and keeps the finished records`(
    operands: [String]
  ) throws {
    try directory.write("images/.h.png")
    let paths = operands.map { $0 == "-" ? $0 : directory.file($0) }
    let list = ["images/a.png", "images/d.png", "images/b/c.png", "images/e.png"]
    let run = try Program(
      ["encode", "--update", "-o", directory.file("out.ndjson")] + paths,
      input: list.map { directory.file($0) + "\n" }.joined())
    #expect(run.status == 4)
    #expect(run.errors.contains(" comes after '"))
    #expect(run.errors.contains("'LC_ALL=C sort' (-z for NUL-terminated paths), and pass each"))
    #expect(try output().split(separator: "\n").count == (operands == ["-"] ? 2 : 6))
  }

  @Test(arguments: [
    ["-o", "out.csv"], ["-o", "out.json"], ["-o", "out.ndjson", "--profile=nostr"], [],
    ["-o", "out.txt", "--text=lqip"], ["-o", "out.ndjson", "--tar=a.tar"], ["-o", "-"],
  ])
  func `an update is rejected unless it reads files and writes plain NDJSON to a file`(
    options: [String]
  ) throws {
    let paths = options.contains { $0.hasPrefix("--tar") } ? [] : ["images"]
    let run = try Program(["encode", "--update"] + paths + options, directory: directory.path)
    #expect(run.status == 2)
    #expect(run.errors.contains("--update"))
    #expect(try directory.names == ["images"])
  }
}
