import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipService

@Suite struct TokenFileTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func admits(_ file: TokenFile, _ token: String) -> Bool {
    file.admits(RequestHead("GET", "/", ["authorization": "Bearer \(token)"]))
  }

  @Test func `reloading the file replaces the tokens`() throws {
    let path = try directory.write("tokens", Array("old\n".utf8))
    let file = try TokenFile(FilePath(path))
    #expect(admits(file, "old"))
    try directory.write("tokens", Array("new\n".utf8))
    #expect(admits(file, "old") && !admits(file, "new"))
    file.reload()
    #expect(admits(file, "new") && !admits(file, "old"))
  }

  @Test(arguments: ["", "two words\n"])
  func `the old tokens are kept if the file is invalid or missing`(content: String) throws {
    let path = try directory.write("tokens", Array("old\n".utf8))
    let file = try TokenFile(FilePath(path))
    try directory.write("tokens", Array(content.utf8))
    file.reload()
    #expect(admits(file, "old"))
    try FileManager.default.removeItem(atPath: path)
    file.reload()
    #expect(admits(file, "old"))
  }

  @Test func `an unusable token file is reported with its path and the reason`() throws {
    let missing = directory.file("missing")
    #expect(
      throws: CommandError.failed(
        "\(missing): cannot read tokens: No such file or directory")
    ) { try TokenFile(FilePath(missing)) }
    #expect(
      throws: CommandError.failed("\(directory.path): cannot read tokens: not a regular file")
    ) { try TokenFile(FilePath(directory.path)) }
    let empty = try directory.write("empty", [])
    #expect(throws: CommandError.failed("\(empty): cannot read tokens: no tokens")) {
      try TokenFile(FilePath(empty))
    }
  }
}
