import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import LqipBatch
@testable import LqipFiles

@Suite struct ImageWalkerTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// What a walk comes to, once the files that have no image's name are looked into.
  private enum Found: Hashable {
    case image(FilePath, followsLinks: Bool)
    case unreadable(FilePath, RecordFailure)
    case noImages(FilePath)
    case loop(FilePath)
  }

  /// What is found, with paths relative to the test's directory.
  private func walk(
    _ paths: [String], _ options: WalkOptions = WalkOptions()
  ) throws -> [Found] {
    var walker = ImageWalker(paths.map { FilePath(directory.file($0)) }, options: options)
    var findings: [Found] = []
    var countBefore = 0
    while let finding = try walker.next() {
      switch finding {
      case .image(let path, let followsLinks, let isCandidate):
        if isCandidate, try !FileDescriptor(opening: path, O_RDONLY).isImage { continue }
        findings.append(.image(relative(path), followsLinks: followsLinks))
      case .unreadable(let path, let failure):
        findings.append(.unreadable(relative(path), failure))
      case .entered: countBefore = findings.count
      case .left(let path):
        if findings.count == countBefore { findings.append(.noImages(relative(path))) }
      case .skipped(let path, .loop): findings.append(.loop(relative(path)))
      case .skipped, .content, .link, .emptyList: continue
      }
    }
    return findings
  }

  private func relative(_ path: FilePath) -> FilePath {
    FilePath(Array(path.bytes.dropFirst(directory.path.utf8.count + 1)))
  }

  private func images(_ findings: [Found]) -> [String] {
    findings.compactMap {
      guard case .image(let path, _) = $0 else { return nil }
      return path.description
    }
  }

  @Test func `images come in byte order of their full paths`() throws {
    let paths = [
      "d/Z.png", "d/a b.png", "d/a-b/1.png", "d/a.png", "d/a/b.png", "d/a/b/c.png", "d/a0/1.png",
      "d/b.png", "d/é.png",
    ]
    for path in paths.shuffled() { try directory.write(path, []) }
    #expect(images(try walk(["d"])) == paths)
    #expect(
      images(try walk(["d/b.png", "d/a", "d/a-b", "d/a.png"])) == [
        "d/a-b/1.png", "d/a.png", "d/a/b.png", "d/a/b/c.png", "d/b.png",
      ])
  }

  @Test func `a directory's images are its files with an image's extension`() throws {
    let images = ["1.jpg", "2.JPEG", "3.jpe", "4.jfif", "5.Png", "6.apng", "7.x.png"]
    for name in images + ["a.bmp", "jpg", "png.txt", "noext", "a.jpg~"] {
      try directory.write("d/\(name)", [])
    }
    #expect(self.images(try walk(["d"])) == images.map { "d/\($0)" })
  }

  @Test func `a directory's images are also those that only their first bytes tell`() throws {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    try directory.write("d/attachment", png + [0])
    try directory.write("d/photo.bin", [0xFF, 0xD8, 0xFF, 0xE0])
    try directory.write("d/half", Array(png.dropLast()))
    try directory.write("d/notes.txt", Array("not an image".utf8))
    #expect(images(try walk(["d"])) == ["d/attachment", "d/photo.bin"])
  }

  @Test func `a named file is an image whatever its name`() throws {
    try directory.write(".hidden", [])
    #expect(
      try walk([".hidden", "missing", "missing.png"]) == [
        .image(FilePath(".hidden"), followsLinks: true),
        .unreadable(FilePath("missing"), RecordFailure(.notFound)),
        .image(FilePath("missing.png"), followsLinks: true),
      ])
  }

  @Test func `hidden names are passed over`() throws {
    for name in ["d/.a.png", "d/.b/c.png", "d/e/.f.png", "d/g.png"] {
      try directory.write(name, [])
    }
    #expect(images(try walk(["d"])) == ["d/g.png"])
  }

  @Test func `symbolic links are followed only when named`() throws {
    try directory.write("real/a.png", [])
    try directory.link("linked", to: "real")
    try directory.link("real/b.png", to: "a.png")
    try directory.link("real/loop", to: ".")
    #expect(images(try walk(["linked"])) == ["linked/a.png"])
    #expect(images(try walk(["real/b.png"])) == ["real/b.png"])
  }

  @Test func `a slash at the end of a directory's name is not doubled`() throws {
    try directory.write("d/a.png", [])
    #expect(images(try walk(["d///"])) == ["d/a.png"])
  }

  @Test func `a directory without images is reported once, when it was named`() throws {
    try directory.write("d/none/readme.txt", [])
    try directory.write("e/none/readme.txt", [])
    try directory.write("e/some/a.png", [])
    #expect(
      try walk(["d", "e"]) == [
        .noImages(FilePath("d")), .image(FilePath("e/some/a.png"), followsLinks: false),
      ])
  }

  @Test func `a file named as a directory says so`() throws {
    try directory.write("a.png", [])
    #expect(images(try walk(["a.png/x.png"])) == ["a.png/x.png"])
    guard case .unreadable(let path, let failure) = try walk(["a.png/"]).first else {
      Issue.record("a file was walked as a directory")
      return
    }
    #expect(path == FilePath("a.png"))
    #expect(failure.message == "Not a directory")
  }

  @Test func `hidden names are visited when asked for`() throws {
    for name in ["d/.a.png", "d/.b/c.png", "d/e.png"] { try directory.write(name, []) }
    #expect(
      images(try walk(["d"], WalkOptions(visitsHidden: true))) == [
        "d/.a.png", "d/.b/c.png", "d/e.png",
      ])
  }

  @Test func `links to files and directories are followed when asked for`() throws {
    try directory.write("far/a.png", [])
    try directory.write("far/b/c.png", [])
    _ = try directory.makeDirectory("d")
    try directory.link("d/dir", to: "../far")
    try directory.link("d/file.png", to: "../far/a.png")
    try directory.link("d/file.txt", to: "../far/a.png")
    try directory.link("d/twice", to: "dir/b")
    #expect(
      try walk(["d"], WalkOptions(followsLinks: true)) == [
        .image(FilePath("d/dir/a.png"), followsLinks: true),
        .image(FilePath("d/dir/b/c.png"), followsLinks: true),
        .image(FilePath("d/file.png"), followsLinks: true),
        .image(FilePath("d/twice/c.png"), followsLinks: true),
      ])
    #expect(try walk(["d"]) == [.noImages(FilePath("d"))])
  }

  @Test func `a link back into a directory it lies in is told and not followed`() throws {
    for name in ["d/a/1.png", "d/b/2.png"] { try directory.write(name, []) }
    try directory.link("d/a/in-b", to: "../b")
    try directory.link("d/b/in-a", to: "../a")
    try directory.link("d/self", to: ".")
    try directory.link("d/a/up", to: "..")
    #expect(
      try walk(["d"], WalkOptions(followsLinks: true)) == [
        .image(FilePath("d/a/1.png"), followsLinks: true),
        .image(FilePath("d/a/in-b/2.png"), followsLinks: true),
        .loop(FilePath("d/a/in-b/in-a")), .loop(FilePath("d/a/up")),
        .image(FilePath("d/b/2.png"), followsLinks: true),
        .image(FilePath("d/b/in-a/1.png"), followsLinks: true),
        .loop(FilePath("d/b/in-a/in-b")), .loop(FilePath("d/b/in-a/up")),
        .loop(FilePath("d/self")),
      ])
  }

  @Test func `links that lead nowhere or to devices are passed over`() throws {
    try directory.write("d/a.png", [])
    try directory.link("d/dangling.png", to: "none")
    try directory.link("d/itself.png", to: "itself.png")
    try directory.link("d/one.png", to: "other.png")
    try directory.link("d/other.png", to: "one.png")
    try directory.link("d/device.png", to: "/dev/zero")
    for follows in [true, false] {
      #expect(
        try walk(["d"], WalkOptions(followsLinks: follows)) == [
          .image(FilePath("d/a.png"), followsLinks: follows)
        ])
    }
  }

  @Test func `only what the patterns take is visited`() throws {
    for name in ["d/a.png", "d/b.jpg", "d/c/d.png", "d/e/f.png", "d/e.png"] {
      try directory.write(name, [])
    }
    let include = WalkOptions(includes: [FilePath("*.png")])
    #expect(images(try walk(["d"], include)) == ["d/a.png", "d/c/d.png", "d/e.png", "d/e/f.png"])
    let exclude = WalkOptions(excludes: [FilePath("*/d/c"), FilePath("a*")])
    #expect(images(try walk(["d"], exclude)) == ["d/b.jpg", "d/e.png", "d/e/f.png"])
    // What is named is wanted.
    #expect(images(try walk(["d/a.png", "d/c"], exclude)) == ["d/a.png", "d/c/d.png"])
  }

  @Test func `an excluded directory is not entered`() throws {
    try directory.write("d/a.png", [])
    try directory.link("d/loop", to: ".")
    let follow = WalkOptions(followsLinks: true)
    #expect(try walk(["d"], follow).contains(.loop(FilePath("d/loop"))))
    let exclude = WalkOptions(excludes: [FilePath("loop")], followsLinks: true)
    #expect(
      try walk(["d"], exclude) == [.image(FilePath("d/a.png"), followsLinks: true)])
  }

  @Test func `links, pipes and an empty list are told`() throws {
    try directory.write("d/a.png", [])
    try directory.link("d/b.png", to: "a.png")
    try #require(unsafe mkfifo(directory.file("d/c.png"), 0o600) == 0)
    let list = try FileDescriptor(opening: FilePath("/dev/null"), O_RDONLY)
    var walker = ImageWalker([FilePath(directory.file("d"))], lines: LineReader(list.number))
    var findings: [ImageWalker.Finding] = []
    while let finding = try walker.next() { findings.append(finding) }
    let path = { FilePath(directory.file($0)) }
    #expect(
      Set(findings) == [
        .entered(path("d")), .image(path("d/a.png"), followsLinks: false, isCandidate: false),
        .skipped(path("d/b.png"), .link), .skipped(path("d/c.png"), .special), .left(path("d")),
        .emptyList,
      ])
  }
}
