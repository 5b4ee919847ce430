import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords
@testable import PlaceholderEncoding

@Suite struct RecordStampTests {
  private let directory: TemporaryDirectory
  private let path: FilePath

  init() throws {
    directory = try TemporaryDirectory()
    path = FilePath(try directory.write("a.png"))
    try directory.setModified("a.png", 1_000_000_000, nanoseconds: 123_456_789)
  }

  private func members(comparesContent: Bool) throws -> [UInt8] {
    let style = RecordStamp.Style(settings: ["x", "y=z"], comparesContent: comparesContent)
    let status = try FileStatus(of: path, followsLinks: false)
    #expect(RecordStamp(status, style).byteCount == TemporaryDirectory.png.count)
    return JSON.object(RecordStamp(status, style).members).bytes
  }

  @Test func `it has the time to the nanosecond, the algorithms and the settings`() throws {
    let version = PlaceholderEncoder.algorithmVersion
    let text = #"{"modified":"2001-09-09T01:46:40.123456789Z","encoder":"\#(version) x y=z"}"#
    #expect(String(decoding: try members(comparesContent: false), as: UTF8.self) == text)
  }

  @Test func `it has no time where the content tells`() throws {
    let version = PlaceholderEncoder.algorithmVersion
    let text = #"{"encoder":"\#(version) x y=z"}"#
    #expect(String(decoding: try members(comparesContent: true), as: UTF8.self) == text)
  }
}
