import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords

@Suite struct RecordFormRecognitionTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func isOutput(_ text: String, like fields: [String]? = nil) throws -> Bool {
    let path = try directory.write("out", Array(text.utf8))
    let file = try FileDescriptor(opening: FilePath(path), O_RDONLY)
    return RecordForm.isOutput(file.number, like: fields)
  }

  @Test(arguments: [
    ("encoder", #""7 lqip=six""#), ("average_color", ##""#336699""##),
    ("error", #"{"code":"corrupt","message":"none"}"#), ("blurhash", #""000000""#),
    ("xyz.amorgan.blurhash", #""LEHV6nWB2yk8pyo0adR*.7kCMdnj""#), ("components", "[4,3]"),
    ("lqip", ##""#47d37520""##), ("lqip2", ##""#47d37520""##),
    ("thumbhash", #""EfghDwQI9wiIh4hwj3CI+AiIgIAI94cP""#),
    ("preview", #""data:image/png;base64,AA==""#),
    ("blurDataURL", #""data:image/png;base64,AA==""#),
    ("svg", #""data:image/svg+xml,%3Csvg""#), ("css", "-1234"),
    ("palette", ##"[{"color":"#336699","share":1}]"##),
  ])
  func `a record is recognized by a value that only this program gives`(
    name: String, value: String
  ) throws {
    #expect(try isOutput(#"{"path":"a","\#(name)":\#(value)}"# + "\n"))
  }

  @Test(arguments: [
    ("encoder", #""x264""#), ("average_color", #""blue""#), ("error", #"{"code":404}"#),
    ("error", #"{"code":"ENOENT"}"#), ("blurhash", #""yes""#), ("components", #"["header","nav"]"#),
    ("lqip", #""small.jpg""#), ("thumbhash", #""thumb.png""#), ("preview", #""Hello""#),
    ("svg", #""a.svg""#), ("css", #""a.css""#), ("palette", #""dark""#), ("palette", "[1]"),
  ])
  func `another program's value under the same name is no mark, chosen or not`(
    name: String, value: String
  ) throws {
    let text = #"{"path":"a","\#(name)":\#(value)}"# + "\n"
    #expect(try !isOutput(text))
    if !["encoder", "average_color", "error"].contains(name) {
      #expect(try !isOutput(text, like: ["path", name]))
    }
  }

  @Test func `damage to one record does not hide the others`() throws {
    let records = [##"{"path":"a","lqip":"#47d3752"}"##, ##"{"path":"b","lqip":"#47d37520"}"##]
    #expect(try isOutput(records.map { $0 + "\n" }.joined()))
  }
}
