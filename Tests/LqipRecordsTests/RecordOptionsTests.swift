import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import lqip

@Suite struct RecordOptionsTests {
  private func options(_ arguments: String...) throws -> RecordOptions? {
    let arguments = (arguments + ["p"]).map { CommandArgument($0) }
    guard case .run(let command) = try CommandParser<EncodeCommand>.parse(arguments[...]) else {
      return nil
    }
    return command.records
  }

  @Test func `the format is the one chosen, the extension's or NDJSON`() throws {
    #expect(try options()?.layout().format == .ndjson)
    #expect(try options("-oa.csv")?.layout().format == .csv)
    #expect(try options("-oa.csv", "--format=json")?.layout().format == .json)
    #expect(try options("-oa.out")?.layout().format == .ndjson)
    #expect(try options("-oa.txt", "--format=csv")?.layout().format == .csv)
  }

  @Test func `profile and fields reach the layout`() throws {
    let options = try #require(try options("--profile=matrix", "--fields=h,w"))
    let layout = options.layout(stamps: true)
    #expect(layout == RecordLayout(.ndjson, profile: .matrix, fields: ["h", "w"], stamps: true))
  }

  @Test func `a name that no record has is refused with those there are`() {
    #expect {
      _ = try options("--fields=path,blurhsh", "--profile=mastodon")
    } throws: { error in
      "\(error)" == """
        invalid value 'blurhsh' for '--fields': expected a comma-separated list of: path, \
        blurhash, meta, lqip, lqip2, thumbhash, preview, svg, css, palette, sha256, error (did you \
        mean 'blurhash'?)
        """
    }
    #expect(throws: UsageError.self) { try options("--fields=path,width,path") }
    #expect(throws: UsageError.self) { try options("--fields=path,") }
  }
}
