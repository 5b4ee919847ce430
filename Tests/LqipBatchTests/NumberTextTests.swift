import PlaceholdersTestSupport
import Testing

@testable import LqipBatch

@Suite struct NumberTextTests {
  @Test(arguments: [
    (0, "0.0"), (0.04, "0.0"), (0.05, "0.1"), (9.94, "9.9"), (9.96, "10"), (10.4, "10"),
    (10.5, "11"), (1666.6, "1667"), (.infinity, "100000000000000"),
  ])
  func `small numbers have a decimal`(value: Double, expected: String) {
    #expect(NumberText.number(value) == expected)
  }

  @Test(arguments: [
    (0, "0:00"), (5, "0:05"), (59.9, "0:59"), (60, "1:00"), (754, "12:34"), (3599, "59:59"),
    (3600, "1:00:00"), (3_661, "1:01:01"), (360_000, "100:00:00"),
  ])
  func `a clock shows hours once there are some`(seconds: Double, expected: String) {
    #expect(NumberText.clock(.seconds(seconds)) == expected)
  }

  @Test(arguments: [
    (0, "0.0 s"), (0.05, "0.1 s"), (12.34, "12.3 s"), (59.94, "59.9 s"), (59.96, "1:00"),
    (3723, "1:02:03"),
  ])
  func `what took less than a minute is told in seconds`(seconds: Double, expected: String) {
    #expect(NumberText.elapsed(.seconds(seconds)) == expected)
  }
}
