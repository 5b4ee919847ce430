import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipBatch
@testable import LqipFiles

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

  @Test func `what lies behind a link that is not followed is not told`() throws {
    try directory.write("d/a.png", [])
    try #require(unsafe mkfifo(directory.file("d/b.png"), 0o600) == 0)
    try directory.link("d/loop", to: ".")
    #expect(
      try skips(WalkOptions(followsLinks: true)) == ["b.png": .special, "loop": .loop])
  }
}
