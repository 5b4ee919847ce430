import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles

@Suite struct TimestampTests {
  private func text(_ seconds: Int, _ nanoseconds: Int = 0) -> String {
    Timestamp(timespec(tv_sec: seconds, tv_nsec: nanoseconds)).text
  }

  @Test(arguments: [
    (0, 0, "1970-01-01T00:00:00.000000000Z"), (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
    (951_827_696, 7, "2000-02-29T12:34:56.000000007Z"),
    (-2_203_891_201, 0, "1900-02-28T23:59:59.000000000Z"),
    (-2_203_891_200, 0, "1900-03-01T00:00:00.000000000Z"),
    (4_107_542_400, 0, "2100-03-01T00:00:00.000000000Z"),
    (253_402_300_799, 120_000_000, "9999-12-31T23:59:59.120000000Z"),
  ])
  func `a moment is written as RFC 3339 does`(seconds: Int, nanoseconds: Int, expected: String) {
    #expect(text(seconds, nanoseconds) == expected)
  }

  @Test func `moments of all centuries are those of an independent calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    // From the first day of the Gregorian calendar, in steps that meet every day of the year.
    for seconds in stride(from: -12_219_292_800, through: 253_402_300_799, by: 9_000_017) {
      let date = Date(timeIntervalSince1970: Double(seconds))
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: date)
      let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second]
      let expected = String(
        format: "%04d-%02d-%02dT%02d:%02d:%02d.000000000Z",
        arguments: numbers.map { $0 ?? -1 })
      try #require(text(seconds) == expected)
    }
  }
}
