import LqipFiles
import PlaceholdersTestSupport
import Testing

@testable import LqipBatch

@Suite struct ProgressLineTests {
  private let line = ProgressLine(
    visitedCount: 12_345, total: 20_000, imagesPerSecond: 164.2, bytesPerSecond: 8_512_345,
    timeLeft: .seconds(83), failedCount: 3)

  @Test func `a wide terminal shows all there is`() {
    #expect(
      line.text(width: 100, inColor: false)
        == "[############        ]  12345 of 20000  164 images/s  8.5 MB/s  1:23 left  3 failed")
  }

  @Test(arguments: [
    (84, "[############        ]  12345 of 20000  164 images/s  8.5 MB/s  1:23 left  3 failed"),
    (80, "[#########       ]  12345 of 20000  164 images/s  8.5 MB/s  1:23 left  3 failed"),
    (72, "[####    ]  12345 of 20000  164 images/s  8.5 MB/s  1:23 left  3 failed"),
    (71, "[##########       ]  12345 of 20000  164 images/s  1:23 left  3 failed"),
    (61, "[############        ]  12345 of 20000  1:23 left  3 failed"),
    (47, "12345 of 20000  1:23 left  3 failed"),
    (35, "12345 of 20000  3 failed"),
    (24, "12345 of 20000"),
    (10, "12345 of "),
    (1, ""),
    (0, ""),
  ])
  func `what matters least gives way where there is no room`(width: Int, expected: String) {
    #expect(line.text(width: width, inColor: false) == expected)
  }

  @Test func `the bar stays at 80 columns whatever else there is`() {
    let line = ProgressLine(
      visitedCount: 12_345_678, total: 20_000_000, imagesPerSecond: 164.2,
      bytesPerSecond: 8_512_345, timeLeft: .seconds(360_000), failedCount: 123_456)
    #expect(
      line.text(width: 80, inColor: false)
        == "[######    ]  12345678 of 20000000  164 images/s  100:00:00 left  123456 failed")
  }

  @Test func `what takes long is named, in a line by the end of its path`() {
    var line = ProgressLine(visitedCount: 7, total: 10)
    line.awaited = .init(path: FilePath("photos/2026/November/a.jpg"), duration: .seconds(65))
    #expect(
      line.text(width: 80, inColor: false)
        == "[##############      ]   7 of 10  1:05 for ...s/2026/November/a.jpg")
    #expect("\(line)" == " 7 of 10, 1:05 for photos/2026/November/a.jpg")
    #expect(line.text(width: 30, inColor: false) == " 7 of 10")
  }

  @Test func `the width is that of what is seen`() {
    for width in 0...100 {
      let colored = line.text(width: width, inColor: true)
      let seen = colored.replacing(/\u{1B}\[[0-9]*m/, with: "")
      #expect(seen == line.text(width: width, inColor: false))
    }
    #expect(
      line.text(width: 100, inColor: true).hasPrefix("[\u{1B}[32m############\u{1B}[m        ]"))
    #expect(line.text(width: 100, inColor: true).hasSuffix("  \u{1B}[31m3 failed\u{1B}[m"))
  }

  @Test func `without a total there is a count and no bar`() {
    #expect(ProgressLine(visitedCount: 0).text(width: 80, inColor: true) == "0 images")
    #expect(ProgressLine(visitedCount: 1).text(width: 80, inColor: true) == "1 image")
    let fast = ProgressLine(visitedCount: 250, imagesPerSecond: 3.14, bytesPerSecond: 0)
    #expect(fast.text(width: 80, inColor: true) == "250 images  3.1 images/s  0.0 MB/s")
  }

  @Test(arguments: [
    (0, "[                    ]    0 of 200"), (9, "[                    ]    9 of 200"),
    (10, "[#                   ]   10 of 200"), (199, "[################### ]  199 of 200"),
    (200, "[####################]  200 of 200"),
  ])
  func `the bar is full at the end and not before, and nothing moves`(
    visited: Int, expected: String
  ) {
    let line = ProgressLine(visitedCount: visited, total: 200)
    #expect(line.text(width: 80, inColor: false) == expected)
  }

  @Test func `a total of nothing has no bar`() {
    let line = ProgressLine(visitedCount: 0, total: 0)
    #expect(line.text(width: 80, inColor: false) == "0 of 0")
  }

  @Test func `a log has the same in words`() {
    #expect(
      "\(line)" == "12345 of 20000, 164 images/s, 8.5 MB/s, 1:23 left, 3 failed")
    #expect("\(ProgressLine(visitedCount: 7))" == "7 images")
  }
}
