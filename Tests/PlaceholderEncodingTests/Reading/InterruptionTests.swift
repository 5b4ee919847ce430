import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

/// Decodes that end in their midst: their file comes through a pipe, and its second part only once it is over.
@Suite struct InterruptionTests {
  private static let fixtures = [
    "webp-lossless-520x530.webp", "webp-lossy-1100x1040.webp", "gif-640x480.gif",
    "size-640x480.png", "jpeg-eighth-scale-2100x2060.jpg",
  ]

  /// Less than a pipe holds.
  private static let pieceSize = 32 << 10

  /// Decodes a file, of which one half comes before something happens and the other after it.
  private func decode(
    _ fixture: String, limits: DecodeLimits = DecodeLimits(),
    then happen: @escaping @Sendable (Task<Void, any Error>) -> Void
  ) async throws {
    let bytes = try Fixtures.bytes(fixture)
    let pipe = Pipe()
    let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
    let task = Task.detached {
      _ = try ImageDecoder(limits: limits).decode(fileDescriptor: reading.fileDescriptor)
    }
    // Tasks share few threads, which the decodes may all have; what they wait for needs its own.
    Thread.detachNewThread {
      let half = min(bytes.count / 2, Self.pieceSize)
      try? writing.write(contentsOf: bytes.prefix(half))
      while Self.unread(reading.fileDescriptor) > 0 { usleep(1000) }
      happen(task)
      try? writing.write(contentsOf: bytes.dropFirst(half).prefix(Self.pieceSize))
      try? writing.close()
    }
    try await task.value
  }

  /// How many bytes a pipe holds.
  private static func unread(_ descriptor: Int32) -> Int32 {
    var count: Int32 = 0
    return unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? count : 0
  }

  @Test(arguments: fixtures)
  func `a cancelled task ends its decode`(fixture: String) async {
    await #expect(throws: ImageDecodingError.cancelled) {
      try await decode(fixture) { $0.cancel() }
    }
  }

  @Test(arguments: fixtures)
  func `a deadline that passes ends a decode`(fixture: String) async {
    let limits = DecodeLimits.with { $0.wallTimeLimit = .milliseconds(20) }
    await #expect(throws: ImageDecodingError.timedOut) {
      try await decode(fixture, limits: limits) { _ in usleep(30_000) }
    }
  }
}
