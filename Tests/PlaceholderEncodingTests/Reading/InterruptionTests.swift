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

  /// Decodes a file, of which one half comes before something happens and the other after it.
  private func decode(
    _ fixture: String, limits: DecodeLimits = DecodeLimits(),
    then happen: (Task<Void, any Error>) async throws -> Void
  ) async throws {
    let bytes = try Fixtures.bytes(fixture)
    let half = min(bytes.count / 2, 32 << 10)
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let task = Task.detached {
      _ = try ImageDecoder(limits: limits).decode(fileDescriptor: descriptor)
    }
    try pipe.fileHandleForWriting.write(contentsOf: bytes.prefix(half))
    while try unread(descriptor) > 0 { try await Task.sleep(for: .milliseconds(1)) }
    try await happen(task)
    try pipe.fileHandleForWriting.write(contentsOf: bytes.dropFirst(half).prefix(32 << 10))
    try pipe.fileHandleForWriting.close()
    try await task.value
  }

  /// How many bytes a pipe holds.
  private func unread(_ descriptor: Int32) throws -> Int32 {
    var count: Int32 = 0
    try #require(unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0)
    return count
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
      try await decode(fixture, limits: limits) { _ in try await Task.sleep(for: .milliseconds(30))
      }
    }
  }
}
