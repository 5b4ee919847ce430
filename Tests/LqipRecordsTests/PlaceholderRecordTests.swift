import Foundation
import LqipTestSupport
import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem

@Suite struct PlaceholderRecordTests {
  private func line(_ record: PlaceholderRecord) -> String {
    String(decoding: JSON.object(record.members).bytes, as: UTF8.self)
  }

  @Test func `the record of an animation contains the frame count`() {
    let path = Fixtures.path("gif-animated-301-frames.gif")
    let record = FileEncoder(PlaceholderOptions(), LimitOptions())
      .record(of: FilePath(path), followsLinks: true)
    #expect(line(record).contains(#""animated":true,"frame_count":301,"blurhash":"#))
  }

  @Test(arguments: [
    (Array("a\nb".utf8), #""path":"a\nb""#),
    ([0x61, 0xFF, 0x2F, 0xC3], #""path":"a\#u{FFFD}/\#u{FFFD}","path_base64":"Yf8vww==""#),
  ])
  func `an error record contains path, code and message`(path: [UInt8], members: String) {
    let failure = RecordFailure(.tooLarge, "say \"no\"")
    let record = PlaceholderRecord(path: FilePath(path), outcome: .failed(failure))
    #expect(line(record) == #"{\#(members),"error":{"code":"too_large","message":"say \"no\""}}"#)
  }
}

@Suite struct RecordPathTests {
  @Test func `distinct paths have distinct keys and round-trip through record members`() throws {
    let paths = Samples.paths.map { FilePath($0) }
    #expect(Set(paths.map { RecordPath($0).key }).count == paths.count)
    for path in paths {
      #expect(RecordPath.path(in: .object(RecordPath(path).members)) == path)
    }
    #expect(RecordPath(FilePath("")).members.isEmpty)
  }

  @Test(arguments: [
    ("a/b/c.png", "a", "b/c.png"), ("a/b/c.png", "a/b/", "c.png"), ("./a/b", "a", "b"),
    ("a/b", "./a", "b"), ("/a/b", "/a", "b"), ("a/b", ".", "a/b"), ("../a/b", "../a", "b"),
    ("c/../a/./b", "a", "b"), ("a//b", "c/../a", "b"), ("/../a/b", "/a", "b"), ("../b", "..", "b"),
    ("/a", "/", "a"), ("/a/b", "a", nil), ("ab/c", "a", nil), ("a", "a", nil), ("./b//c", "a", nil),
    ("a/../b", "a", nil), ("a/../../b", "a", nil), ("../b", ".", nil), ("b", "..", nil),
    ("../../b", "..", nil), ("/a/../b", "/a", nil), ("b", "/", nil), (".", ".", nil),
  ])
  func `a relative path is computed lexically, and is nil for a path outside the directory`(
    path: String, base: String, expected: String?
  ) {
    #expect(FilePath(path).relative(to: FilePath(base)) == expected.map { FilePath($0) })
  }
}
