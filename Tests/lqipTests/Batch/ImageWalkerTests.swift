import Foundation
import PlaceholdersTestSupport
import Testing

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem

@Suite struct ImageWalkerTests {
  private let directory = TemporaryDirectory()

  private func write(_ names: [String]) throws {
    for name in names { try directory.write(name, []) }
  }

  /// Returns the findings as text, with paths relative to the test directory.
  private func walk(
    _ paths: [String], lines: String? = nil, _ options: WalkOptions = WalkOptions()
  ) throws -> [String] {
    let file = try lines.map { try directory.write(".lines", Array($0.utf8)) }
    let list = try file.map { try FileHandle(forReadingFrom: URL(fileURLWithPath: $0)) }
    var walker = ImageWalker(
      paths.map { FilePath(directory.file($0)) },
      lines: list.map { LineReader($0.fileDescriptor, terminator: nil) }, options: options)
    var findings: [String] = []
    while let finding = try walker.next() {
      switch finding {
      case .file(let file):
        findings.append((file.requiresSignature ? "unrecognized " : "") + relative(file.path))
      case .unlisted(let path, let failure):
        findings.append("\(relative(path)): \(failure.message)")
      case .skipped(let path, let kind): findings.append("\(kind) \(relative(path))")
      case .content: Issue.record("unexpected content of a directory entry")
      }
    }
    return findings
  }

  private func relative(_ path: FilePath) -> String {
    path.description.replacing("\(directory.path)/", with: "")
  }

  @Test func `images are found in byte order of their full paths`() throws {
    var random = LCG(seed: 3)
    var paths: Set<String> = []
    while paths.count < 300 {
      let name = (0...Int.random(in: 0..<5, using: &random)).map { _ in
        "a .-0Zé".randomElement(using: &random) ?? "a"
      }
      // A directory sorts as if its name ended with a slash.
      let end = Bool.random(using: &random) ? "/1.png" : ".png"
      paths.insert("d/n" + String(name) + end)
    }
    try write(paths.shuffled(using: &random))
    #expect(try walk(["d"]) == paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    let operands = ["e/a-b/1.png", "e/a.png", "e/a/b/c.png"]
    try write(operands)
    #expect(try walk(["e/a//", "e/a-b", "e/a.png"]) == operands)
  }

  @Test func `a path inside another path, or repeated, is found once`() throws {
    let names = ["d/a.png", "d/b/c.png", "d/b/e.png", "d/f.png"]
    try write(names + ["d/.h.png"])
    let all = names + ["d", "d/b"]
    #expect(try walk(all + all) == names)
    #expect(try walk(["d", "d/.h.png"]) == names + ["d/.h.png"])
    let options = WalkOptions(excluding: ["*/b", "f*"])
    #expect(try walk(["d", "d/f.png"], options) == ["d/a.png", "d/f.png"])
    try directory.link("d/link", to: "b")
    #expect(try walk(["d", "d/link/c.png"]) == ["link d/link"] + names + ["d/link/c.png"])
  }

  @Test
  func `hidden files are skipped, and files without an image extension need an image signature`()
    throws
  {
    let images = ["1.jpg", "2.JPEG", "3.jpe", "4.jfif", "5.Png", "6.apng", "7.x.webp", "8.gif"]
    let others = ["a.bmp", "a.jpg~", "jpg", "png.txt"]
    try write((images + others + [".a.png", ".b/c.png"]).map { "d/\($0)" })
    #expect(try walk(["d"]) == images.map { "d/\($0)" } + others.map { "unrecognized d/\($0)" })
    #expect(
      try walk(["d/.a.png", "d/1.jpg/", "d/jpg"]) == [
        "d/.a.png", "d/1.jpg: Not a directory", "d/jpg",
      ])
  }

  @Test(arguments: ["\n", "\0"])
  func `paths in a list are visited in list order`(terminator: String) throws {
    try write(["d/a.png", "d/b.png", "e\r"])
    let names = ["e\r", "d", "", "a.png", "x\r"].map { $0.isEmpty ? "" : directory.file($0) }
    #expect(
      try walk(["d/b.png"], lines: names.joined(separator: terminator)) == [
        "d/b.png", "e?", "d/a.png", "d/b.png", "a.png",
        "x?: No such file or directory",
      ])
    // The first 64 KiB determine the terminator; a NUL byte after them is an error.
    let long = String(repeating: "\n", count: 1 << 17)
    #expect(
      throws: CommandError.input(
        "standard input: found both newline-terminated and NUL-terminated paths; use one or the other"
      )
    ) { try walk([], lines: long + "c\0d") }
  }

  @Test func `symbolic links are followed if they are named or with --follow`() throws {
    try write(["far/a.png", "far/b/c.png"])
    _ = try directory.makeDirectory("d")
    try directory.link("d/dir", to: "../far")
    try directory.link("d/file.png", to: "../far/a.png")
    try directory.link("d/file.txt", to: "../far/a.png")
    #expect(try walk(["d/dir", "d/file.png"]) == ["d/dir/a.png", "d/dir/b/c.png", "d/file.png"])
    #expect(try Set(walk(["d"])) == ["link d/dir", "link d/file.png", "link d/file.txt"])
    #expect(
      try walk(["d"], WalkOptions(following: true)) == [
        "d/dir/a.png", "d/dir/b/c.png", "d/file.png", "unrecognized d/file.txt",
      ])
    var walker = ImageWalker([FilePath(directory.file("far"))])
    let path = FilePath(directory.file("far/a.png"))
    let device = try FileStatus(of: path, followsLinks: false).identity.device
    #expect(
      try walker.next()
        == .file(
          Finding.File(
            path: path, followsLinks: false, requiresSignature: false, device: device)))
  }

  @Test func `a link to a parent directory is skipped as a loop`() throws {
    try write(["d/a/1.png", "d/b/2.png"])
    try directory.link("d/a/in-b", to: "../b")
    try directory.link("d/b/in-a", to: "../a")
    try directory.link("d/self", to: ".")
    #expect(
      try walk(["d"], WalkOptions(following: true)) == [
        "d/a/1.png", "d/a/in-b/2.png", "loop d/a/in-b/in-a", "d/b/2.png", "d/b/in-a/1.png",
        "loop d/b/in-a/in-b", "loop d/self",
      ])
    #expect(
      try walk(["d"], WalkOptions(following: true, excluding: ["in-*", "self"])) == [
        "d/a/1.png", "d/b/2.png",
      ])
  }

  @Test(arguments: [false, true])
  func `dangling links and special files are skipped`(follows: Bool) throws {
    try write(["d/a.png"])
    try directory.link("d/dangling.png", to: "none")
    try directory.link("d/itself", to: "itself")
    try directory.link("d/device.png", to: "/dev/zero")
    try #require(unsafe mkfifo(directory.file("d/pipe.png"), 0o600) == 0)
    let kind = follows ? "dangling" : "link"
    #expect(
      try Set(walk(["d"], WalkOptions(following: follows))) == [
        "d/a.png", "\(kind) d/dangling.png", "\(kind) d/itself", "special d/pipe.png",
        "\(follows ? "special" : "link") d/device.png",
      ])
  }

  @Test func `a link whose target cannot be examined is unreadable, not dangling`() throws {
    // The long name simulates a target in a directory without search permission.
    let refused = String(repeating: "x", count: 300)
    try write(["d/a.png"])
    for name in ["b", "c.png", "d.txt"] { try directory.link("d/\(name)", to: refused) }
    #expect(
      try walk(["d"], WalkOptions(following: true, excluding: ["d.txt"])) == [
        "d/a.png", "d/b: File name too long", "d/c.png",
      ])
  }

  @Test func `globs apply to files in directories but not to named paths`() throws {
    try write(["d/a.png", "d/b.jpg", "d/c/d.png", "d/e/f.png", "d/e.png"])
    let options = WalkOptions(including: ["*.png"], excluding: ["*/d/c", "a*"])
    #expect(try walk(["d"], options) == ["d/e.png", "d/e/f.png"])
    #expect(
      try walk(["d/a.png", "d/b.jpg", "d/c"], options) == ["d/a.png", "d/b.jpg", "d/c/d.png"])
  }

  @Test func `the progress fraction grows with every file, in directories and in lists`() throws {
    let names = (0..<12).map { "d/\($0 % 3)/\($0 % 2)/\($0).png" } + ["d/x.png", "d/y.png"]
    try write(names)
    let text = names.map { directory.file($0) + "\n" }.joined()
    let list = try FileDescriptor(
      opening: FilePath(try directory.write("list", Array(text.utf8))), O_RDONLY)
    let walkers = [
      ImageWalker([FilePath(directory.file("d"))]),
      ImageWalker([], lines: LineReader(list.number, terminator: nil)),
    ]
    for var walker in walkers {
      var fractions: [Double] = []
      while try walker.next() != nil { fractions.append(try #require(walker.fraction)) }
      #expect(fractions.count == names.count)
      #expect(fractions == fractions.sorted() && Set(fractions).count == names.count)
      #expect(try #require(fractions.first) < 0.1 && (0.75...1).contains(fractions.last ?? 0))
    }
  }
}
