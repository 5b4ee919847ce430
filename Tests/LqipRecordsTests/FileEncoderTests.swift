import Foundation
import PlaceholderEncoding
import PlaceholdersTestSupport
import LqipTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords

@Suite struct FileEncoderTests {
  private let directory = TemporaryDirectory()

  private func failure(
    of path: String, followsLinks: Bool = true, maximumByteCount: Int = 1 << 20
  ) -> RecordFailure? {
    var limits = LimitOptions()
    limits.byteCount = maximumByteCount
    let encoder = FileEncoder(PlaceholderOptions(), limits)
    return encoder.record(of: FilePath(path), followsLinks: followsLinks).failure
  }

  @Test func `unreadable files get an error record with the reason`() throws {
    let image = try directory.write("a.png")
    try directory.link("b.png", to: "a.png")
    try #require(unsafe mkfifo(directory.file("pipe.png"), 0o600) == 0)
    #expect(failure(of: image) == nil)
    #expect(failure(of: directory.file("b.png")) == nil)
    #expect(failure(of: directory.file("b.png"), followsLinks: false)?.code == .unreadable)
    #expect(
      failure(of: directory.file("pipe.png"), followsLinks: false)
        == RecordFailure(.unreadable, "not a regular file"))
    #expect(
      failure(of: directory.file("none")) == RecordFailure(.unreadable, "No such file or directory")
    )
    for path in [directory.file("pipe.png"), "/dev/null", "/dev", "/"] {
      #expect(failure(of: path) == RecordFailure(.unreadable, "not a regular file"))
    }
    let empty = try directory.write("empty", [])
    #expect(failure(of: empty) == RecordFailure(.unsupportedFormat, "empty file"))
    guard getuid() != 0 else { return }
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: image)
    #expect(failure(of: image) == RecordFailure(.unreadable, "Permission denied"))
  }

  @Test(arguments: [false, true])
  func `a large file has the same record as its bytes in memory`(digests: Bool) throws {
    let bytes = try Fixtures.bytes("size-640x480.png") + Array(repeating: 7, count: 3 << 20)
    let path = try directory.write("a.png", bytes)
    var encoder = FileEncoder(PlaceholderOptions(), LimitOptions())
    encoder.includesDigest = digests
    let record = encoder.record(of: FilePath(path), followsLinks: true)
    let reference = encoder.record(of: bytes.span, at: FilePath(path))
    #expect(record.failure == nil)
    #expect(record.outcome == reference.outcome)
  }

  @Test func `a file that lacks a required image signature has no record`() throws {
    let encoder = FileEncoder(PlaceholderOptions(), LimitOptions())
    let notes = Array("not an image".utf8)
    for (bytes, isImage) in [
      (TemporaryDirectory.png, true), (notes, false),
      (Array(TemporaryDirectory.png.prefix(7)), false),
      (notes + [UInt8](repeating: 0x20, count: 2 << 20), false), ([], false),
    ] {
      let path = FilePath(try directory.write("attachment", bytes))
      let opened = try encoder.open(path, followsLinks: false, requiresSignature: true)
      let task = opened.task
      let file = FileDescriptor(owning: opened.release())
      let reply = task.reply(for: .file(file.number))
      #expect((reply != nil) == isImage)
      #expect(try isImage || ImageReply(parsing: ImageReply.notAnImage) == nil)
    }
  }

  @Test func `a file above the size limit is rejected`() throws {
    let file = try directory.write("a.png")
    let size = TemporaryDirectory.png.count
    #expect(failure(of: file, maximumByteCount: size) == nil)
    #expect(
      failure(of: file, maximumByteCount: size - 1)
        == RecordFailure(
          .tooLarge, "the file is \(size) bytes, above the limit of \(size - 1) bytes"))
  }
}
