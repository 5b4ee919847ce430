import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

/// Tests that interrupt decoding between two parts of a file that is read from a pipe.
@Suite struct InterruptionTests {
  private static let fixtures = [
    "webp-lossless-520x530.webp", "webp-lossy-1100x1040.webp", "gif-640x480.gif",
    "size-640x480.png", "jpeg-eighth-scale-2100x2060.jpg",
  ]

  /// The maximum size of a part in bytes, less than the capacity of a pipe.
  private static let maximumPartSize = 32 << 10

  /// Decodes a file from a pipe, and calls `interrupt` after the decoder has read the first part.
  private func decode(
    _ fixture: String, limits: ImageDecoder.Limits = ImageDecoder.Limits(),
    then interrupt: @escaping @Sendable (Task<Void, any Error>) -> Void
  ) async throws {
    let bytes = try Fixtures.bytes(fixture)
    let pipe = Pipe()
    let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
    let task = Task.detached {
      _ = try ImageDecoder(limits: limits).decode(
        fileDescriptor: reading.fileDescriptor, isCancelled: { Task.isCancelled })
    }
    // A separate thread, because blocked decodes can occupy all threads of the cooperative pool.
    Thread.detachNewThread {
      let half = min(bytes.count / 2, Self.maximumPartSize)
      try? writing.write(contentsOf: bytes.prefix(half))
      while Self.unread(reading.fileDescriptor) > 0 { usleep(1000) }
      interrupt(task)
      try? writing.write(contentsOf: bytes.dropFirst(half).prefix(Self.maximumPartSize))
      try? writing.close()
    }
    try await task.value
  }

  /// The number of unread bytes in a pipe.
  private static func unread(_ descriptor: Int32) -> Int32 {
    var count: Int32 = 0
    return unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? count : 0
  }

  @Test func `canceling a task stops verification`() async throws {
    // The first write contains the first scan and fills the decoder's window, so only `verify` reads the rest.
    let image = try Fixtures.bytes("jpeg-progressive-dc-only-400x264.jpg").dropLast(2)
    let comment = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_533)
    let bytes = image + comment + [0xFF, 0xD9]
    let pipe = Pipe()
    let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
    let task = Task.detached {
      _ = try ImageDecoder(options: .verifying).decode(
        fileDescriptor: reading.fileDescriptor, isCancelled: { Task.isCancelled })
    }
    Thread.detachNewThread {
      try? writing.write(contentsOf: bytes.prefix(1 << 16 + 1))
      while Self.unread(reading.fileDescriptor) > 0 { usleep(1000) }
      task.cancel()
      try? writing.write(contentsOf: bytes.dropFirst(1 << 16 + 1))
      try? writing.close()
    }
    await #expect(throws: ImageDecodingError.cancelled) { try await task.value }
  }

  /// Decodes from an open pipe that contains only the beginning of a file.
  private static func decodeBeginning(isBlocking: Bool) throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    if !isBlocking { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    let bytes = try Fixtures.bytes("png-rgb-8-bit.png")
    try pipe.fileHandleForWriting.write(contentsOf: bytes.prefix(100))
    defer { try? pipe.fileHandleForWriting.close() }
    let limits = ImageDecoder.Limits.with { $0.wallTimeLimit = .milliseconds(20) }
    _ = try ImageDecoder(limits: limits).decode(fileDescriptor: descriptor)
  }

  @Test(arguments: [true, false])
  func `the wall time limit stops waiting for a stalled pipe`(isBlocking: Bool) {
    #expect(throws: ImageDecodingError.timedOut) {
      try Self.decodeBeginning(isBlocking: isBlocking)
    }
  }

  @Test func `a non-blocking pipe is polled for data`() throws {
    let bytes = try Fixtures.bytes("png-rgb-8-bit.png")
    let pipe = Pipe()
    let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
    _ = fcntl(reading.fileDescriptor, F_SETFL, O_NONBLOCK)
    Thread.detachNewThread {
      for start in stride(from: 0, to: bytes.count, by: 100) {
        try? writing.write(contentsOf: bytes[start...].prefix(100))
        usleep(1000)
      }
      try? writing.close()
    }
    let image = try ImageDecoder().decode(fileDescriptor: reading.fileDescriptor)
    #expect(image == (try ImageDecoder().decode(bytes)))
  }

  @Test(arguments: fixtures)
  func `canceling a task stops decoding`(fixture: String) async {
    await #expect(throws: ImageDecodingError.cancelled) {
      try await decode(fixture) { $0.cancel() }
    }
  }

  @Test(arguments: fixtures)
  func `an expired wall time limit stops decoding`(fixture: String) async {
    let limits = ImageDecoder.Limits.with { $0.wallTimeLimit = .milliseconds(20) }
    await #expect(throws: ImageDecodingError.timedOut) {
      try await decode(fixture, limits: limits) { _ in usleep(30_000) }
    }
  }
}
