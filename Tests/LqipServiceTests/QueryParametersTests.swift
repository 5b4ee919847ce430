import PlaceholdersTestSupport
import Testing

@testable import Placeholders
@testable import PlaceholderEncoding
@testable import LqipRecords
@testable import LqipService

@Suite struct QueryParametersTests {
  private func detail(_ query: (String, String)...) -> String? {
    var options = PlaceholderOptions()
    do {
      try QueryParameters.read(
        query.map { (name: $0.0, value: $0.1) }, into: &options, by: PlaceholderOptions.table)
      return nil
    } catch {
      return error.code == "bad_parameter" && error.status == 400 ? error.detail : error.code
    }
  }

  @Test(arguments: [("", true), ("true", true), ("1", true), ("false", false), ("0", false)])
  func `a flag accepts true, 1, false, 0 or no value`(value: String, isSet: Bool) throws {
    var options = PlaceholderOptions()
    try QueryParameters.read(
      [("exact", value), ("verify", value)], into: &options, by: PlaceholderOptions.table)
    #expect(options.decoding.isExact == isSet)
    #expect(options.decoding.verifiesWholeFile == isSet)
  }

  @Test func `missing parameters leave their settings unchanged`() throws {
    var options = PlaceholderOptions()
    options.decoding.isLenient = true
    try QueryParameters.read(
      [("lqip", "six")], into: &options, by: PlaceholderOptions.table)
    #expect(options.decoding.isLenient)
    #expect(options.lqip == .six)
  }

  @Test func `an invalid parameter is reported with the accepted values`() {
    #expect(
      detail(("exact", "yes"))
        == "invalid value 'yes' for 'exact': expected true, 1, false, 0 or no value")
    #expect(
      detail(("components", "10x1"))
        == "invalid value '10x1' for 'components': expected auto, or two numbers from 1 to 9 "
        + "joined by 'x', such as 4x3")
    #expect(
      detail(("components", ""))?.hasPrefix("invalid value '' for 'components'") == true)
    #expect(
      detail(("colour", "red"))
        == "unknown parameter 'colour'; supported: components, blurhash, lqip, tiny-bytes, "
        + "preview-format, preview-bytes, background, exact, lenient, verify")
    #expect(
      detail(("lqip", "fited"))
        == "invalid value 'fited' for 'lqip': expected fitted, corners or six "
        + "(did you mean 'fitted'?)")
  }

  @Test func `a duplicate parameter is rejected, even with the same value`() {
    #expect(detail(("lqip", "six"), ("lqip", "six")) == "duplicate parameter 'lqip'")
    #expect(detail(("exact", "0"), ("exact", "0")) == "duplicate parameter 'exact'")
  }
}
