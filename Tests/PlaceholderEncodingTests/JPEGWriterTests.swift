import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct JPEGWriterTests {
  @Test(arguments: [(1, 1), (17, 9), (256, 256)])
  func `a written file is read as the same size`(size: (Int, Int)) throws {
    let bitmap = Bitmap.noise(width: size.0, height: size.1)
    let file = try #require(JPEGWriter.smallBytes(of: bitmap, quality: 50))
    let grid = try ImageDecoder(options: .verifying).decode(file.span).grid
    #expect(grid.sourceWidth == size.0 && grid.sourceHeight == size.1)
  }

  #if os(Linux)
  /// The memory that the process may write to, in bytes.
  private static func writableMemory() throws -> UInt {
    let counts = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      .split(separator: " ").map { UInt($0) }
    return try #require(counts.count > 5 ? counts[5] : nil) * UInt(getpagesize())
  }

  @Test func `a writer that runs out of memory gives no file`() async {
    await #expect(processExitsWith: .success) {
      let bitmap = Bitmap.noise(width: 1024, height: 1024)
      let used = try Self.writableMemory()
      var failureCount = 0
      for spare in stride(from: UInt(1 << 20), through: 64 << 20, by: 128 << 10) {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
        limit.rlim_cur = used + spare
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
        guard JPEGWriter.smallBytes(of: bitmap, quality: 100) == nil else { break }
        failureCount += 1
      }
      #expect(failureCount > 8)
    }
  }
  #endif
}
