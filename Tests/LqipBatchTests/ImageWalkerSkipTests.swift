import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipBatch
@testable import LqipFiles
@testable import LqipRecords

/// What a walk passes over in directories.
@Suite struct ImageWalkerSkipTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// What is not looked into, by name.
  private func skips(_ options: WalkOptions) throws -> [String: ImageWalker.Skip] {
    var walker = ImageWalker([FilePath(directory.file("d"))], options: options)
    var skips: [String: ImageWalker.Skip] = [:]
    while let finding = try walker.next() {
      if case .skipped(let path, let kind) = finding {
        skips[String(decoding: path.name, as: UTF8.self)] = kind
      }
    }
    return skips
  }

  @Test(arguments: [true, false])
  func `links that lead nowhere are told where links are followed`(isUnordered: Bool) throws {
    try directory.write("d/a.png", [])
    _ = try directory.makeDirectory("d/b")
    try directory.link("d/b/dangling.png", to: "none")
    try directory.link("d/itself", to: "itself")
    var options = WalkOptions(followsLinks: true)
    options.isUnordered = isUnordered
    #expect(try skips(options) == ["dangling.png": .dangling, "itself": .dangling])
    options.followsLinks = false
    #expect(try skips(options) == ["dangling.png": .link, "itself": .link])
  }

  @Test(arguments: [true, false])
  func `a link that may lead somewhere is what cannot be read, and not nowhere`(
    isUnordered: Bool
  ) throws {
    // The system refuses this name as it refuses what lies in a directory that may not be searched.
    let refused = String(repeating: "x", count: 300)
    try directory.write("d/a.png", [])
    for name in ["b", "c.png", "d.txt"] { try directory.link("d/\(name)", to: refused) }
    var options = WalkOptions(excludes: [FilePath("d.txt")], followsLinks: true)
    options.isUnordered = isUnordered
    #expect(try skips(options) == [:])
    var walker = ImageWalker([FilePath(directory.file("d"))], options: options)
    var findings: [ImageWalker.Finding] = []
    while let finding = try walker.next() { findings.append(finding) }
    let path = { (name: String) in FilePath(directory.file("d/" + name)) }
    let failure = RecordFailure(SystemError(number: ENAMETOOLONG))
    #expect(findings.contains(.unreadable(path("b"), failure)))
    #expect(findings.contains(.image(path("c.png"), followsLinks: true, isCandidate: false)))
    #expect(findings.count == 5)
  }

  @Test func `what lies behind a link that is not followed is not told`() throws {
    try directory.write("d/a.png", [])
    try #require(unsafe mkfifo(directory.file("d/b.png"), 0o600) == 0)
    try directory.link("d/loop", to: ".")
    #expect(
      try skips(WalkOptions(followsLinks: true)) == ["b.png": .special, "loop": .loop])
  }
}
