import Testing

@testable import lqip
@testable import LqipSystem

@Suite struct ProgressLineTests {
  private let line = ProgressLine(
    visitedCount: 12_345, fraction: 0.617, imagesPerSecond: 164.2, bytesPerSecond: 8_512_345,
    timeLeft: .seconds(83), failedCount: 3)

  @Test(arguments: [
    (87, "[############        ]  12345 images  3 failed  61%  1:23 left  164 images/s  8.5 MB/s"),
    (86, "[############        ]  12345 images  3 failed  61%  1:23 left  164 images/s"),
    (76, "[############        ]  12345 images  3 failed  61%  1:23 left"),
    (62, "12345 images  3 failed  61%  1:23 left"), (38, "12345 images  3 failed  61%"),
    (27, "12345 images  3 failed"), (22, "12345 images"), (10, "12345 ima"), (1, ""), (0, ""),
  ])
  func `on a narrow terminal, the least important parts of the line are omitted`(
    width: Int, expected: String
  ) {
    #expect(line.text(width: width) == expected)
  }

  @Test func `the progress line names a slow image, on a terminal with only the end of its path`() {
    var line = ProgressLine(visitedCount: 7, fraction: 0.75)
    line.awaited = .init(path: FilePath("photos/2026/November/a.jpg"), duration: .seconds(65))
    #expect(
      line.text(width: 80)
        == "[###############     ]  7 images  75%  1:05 for ...s/2026/November/a.jpg")
    #expect("\(line)" == "7 images, 75%, 1:05 for photos/2026/November/a.jpg")
  }

  @Test(arguments: [
    (0, "[                    ]  1 image  0%"), (0.049, "[                    ]  1 image  4%"),
    (0.05, "[#                   ]  1 image  5%"), (0.999, "[################### ]  1 image  99%"),
    (1, "[####################]  1 image  100%"), (nil, "1 image"),
  ])
  func `the progress bar is full only at the end, and absent if the fraction is unknown`(
    fraction: Double?, expected: String
  ) {
    let line = ProgressLine(visitedCount: 1, fraction: fraction)
    #expect(line.text(width: 80) == expected)
  }

  @Test func `a progress line in a log contains all available values`() {
    #expect("\(line)" == "12345 images, 3 failed, 61%, 1:23 left, 164 images/s, 8.5 MB/s")
    #expect("\(ProgressLine(visitedCount: 0))" == "0 images")
  }

  @Test(arguments: [
    (0, "0.0"), (0.04, "0.0"), (0.05, "0.1"), (9.94, "9.9"), (9.96, "10"), (10.4, "10"),
    (10.5, "11"), (1666.6, "1667"), (.infinity, "100000000000000"),
  ])
  func `numbers below 10 have one decimal place`(value: Double, expected: String) {
    #expect(NumberText.number(value) == expected)
  }

  @Test(arguments: [
    (0, "0:00", "0.0 s"), (5, "0:05", "5.0 s"), (12.34, "0:12", "12.3 s"),
    (59.94, "0:59", "59.9 s"), (59.96, "0:59", "1:00"), (754, "12:34", "12:34"),
    (3599, "59:59", "59:59"), (3_661, "1:01:01", "1:01:01"), (360_000, "100:00:00", "100:00:00"),
  ])
  func `a clock shows hours if needed, and an elapsed time below a minute has one decimal`(
    seconds: Double, clock: String, elapsed: String
  ) {
    #expect(NumberText.clock(.seconds(seconds)) == clock)
    #expect(NumberText.elapsed(.seconds(seconds)) == elapsed)
  }
}
