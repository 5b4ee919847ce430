import TestSupport
import Testing

@testable import lqip

@Suite struct ImageWalkerTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The findings, with paths relative to the test's directory.
  private func walk(_ paths: [String]) throws -> [ImageWalker.Finding] {
    var walker = ImageWalker(paths.map { FilePath(directory.file($0)) })
    var findings: [ImageWalker.Finding] = []
    while let finding = try walker.next() {
      switch finding {
      case .image(let path, let followsLinks):
        findings.append(.image(relative(path), followsLinks: followsLinks))
      case .content(let path, let content): findings.append(.content(relative(path), content))
      case .unreadable(let path, let error): findings.append(.unreadable(relative(path), error))
      case .noImages(let path): findings.append(.noImages(relative(path)))
      case .loop(let path): findings.append(.loop(relative(path)))
      }
    }
    return findings
  }

  private func relative(_ path: FilePath) -> FilePath {
    FilePath(Array(path.bytes.dropFirst(directory.path.utf8.count + 1)))
  }

  private func images(_ findings: [ImageWalker.Finding]) -> [String] {
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
    for name in images + ["a.gif", "jpg", "png.txt", "noext", "a.jpg~"] {
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
      try walk([".hidden", "missing"]) == [
        .image(FilePath(".hidden"), followsLinks: true),
        .image(FilePath("missing"), followsLinks: true),
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
    #expect(images(try walk(["a.png/x"])) == ["a.png/x"])
    guard case .unreadable(let path, let error) = try walk(["a.png/"]).first else {
      Issue.record("a file was walked as a directory")
      return
    }
    #expect(path == FilePath("a.png"))
    #expect("\(error)" == "Not a directory")
  }
}
