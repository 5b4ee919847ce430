import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords

@Suite struct RecordPathTests {
  @Test(arguments: Samples.paths)
  func `a key stands for its path alone`(bytes: [UInt8]) {
    let key = RecordPath(FilePath(bytes)).key
    #expect(RecordPath.path(ofKey: Array(key.utf8)) == FilePath(bytes))
  }

  @Test func `a path is its own key as far as it is text`() {
    #expect(RecordPath(FilePath("é\n.png")).key == "é\n.png")
    #expect(RecordPath(FilePath([0x61, 0xFF])).key == "base64:Yf8=")
    #expect(RecordPath(FilePath("base64:")).key == "base64:YmFzZTY0Og==")
  }

  @Test func `what is not base64 is no key`() {
    #expect(RecordPath.path(ofKey: Array("base64:Yf8".utf8)) == nil)
  }

  @Test func `an empty path has no members`() {
    #expect(RecordPath(FilePath("")).members.isEmpty)
  }
}
