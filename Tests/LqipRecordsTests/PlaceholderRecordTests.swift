import PlaceholdersTestSupport
import LqipTestSupport
import Testing

@testable import LqipFiles
@testable import LqipOptions
@testable import LqipRecords
@testable import lqip

@Suite struct PlaceholderRecordTests {
  private func line(_ record: PlaceholderRecord) -> String {
    String(decoding: JSON.object(record.members(in: .plain)).bytes, as: UTF8.self)
  }

  @Test func `an image's record has its members in their documented order`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("a.png")
    let request = try CommandParser<EncodeCommand>.parse(
      ["--components=1x1", path].map { CommandArgument($0) }[...])
    guard case .run(let command) = request else {
      Issue.record("the command was not understood")
      return
    }
    let record = command.encoding.fileEncoder.record(of: FilePath(path), followsLinks: true)
    #expect(
      line(record) == """
        {"path":"\(path)","mimetype":"image/png","bytes":73,"width":3,"height":2,"orientation":1,\
        "has_alpha":false,"opaque":true,"animated":false,"blurhash":"005?}k","components":[1,1],\
        "lqip":"#3686d0b4","average_color":"#336699","warnings":[]}
        """)
  }

  @Test func `an animation's record counts its frames`() {
    let path = Fixtures.path("gif-animated-301-frames.gif")
    let record = FileEncoder(PlaceholderOptions(), LimitOptions())
      .record(of: FilePath(path), followsLinks: true)
    #expect(line(record).contains(#""animated":true,"frame_count":301,"blurhash":"#))
  }

  @Test func `a failure's record has its code and message`() {
    let failure = RecordFailure(.tooLarge, "say \"no\"")
    let record = PlaceholderRecord(path: FilePath("a\nb"), outcome: .failed(failure))
    #expect(
      line(record)
        == #"{"path":"a\nb","error":{"code":"too_large","message":"say \"no\""}}"#)
  }

  @Test func `a path that is not UTF-8 keeps its bytes`() throws {
    let bytes: [UInt8] = [0x61, 0xFF, 0x2F, 0xC3]
    let failure = RecordFailure(.corrupt, "m")
    let record = PlaceholderRecord(path: FilePath(bytes), outcome: .failed(failure))
    let text = line(record)
    #expect(text.hasPrefix(#"{"path":"a\#u{FFFD}/\#u{FFFD}","path_base64":"Yf8vww==","error""#))
  }

  @Test func `the error codes are the documented ones`() {
    #expect(
      RecordFailure.Code.allCases.map(\.rawValue) == [
        "unsupported_format", "corrupt", "truncated", "too_large", "timeout", "unreadable",
        "decoder_failed", "internal",
      ])
  }
}
