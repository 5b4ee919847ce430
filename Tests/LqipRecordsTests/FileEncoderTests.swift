import Foundation
import PlaceholdersTestSupport
import LqipTestSupport
import Testing

@testable import LqipFiles
@testable import LqipOptions
@testable import LqipRecords

@Suite struct FileEncoderTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func failure(
    of path: String, followsLinks: Bool = true, maximumByteCount: Int = 1 << 20
  ) -> RecordFailure? {
    var limits = LimitOptions()
    limits.byteCount = maximumByteCount
    let encoder = FileEncoder(PlaceholderOptions(), limits)
    let record = encoder.record(of: FilePath(path), followsLinks: followsLinks)
    guard case .failed(let failure) = record.outcome else { return nil }
    return failure
  }

  @Test func `an image gives no failure`() throws {
    #expect(failure(of: try directory.write("a.png")) == nil)
  }

  @Test func `a missing file is unreadable for the system's reason`() {
    #expect(
      failure(of: directory.file("none"))
        == RecordFailure(.unreadable, "No such file or directory"))
  }

  @Test func `a pipe is refused without waiting for its writer`() throws {
    let pipe = directory.file("pipe.png")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(failure(of: pipe) == RecordFailure(.unreadable, "not a regular file"))
  }

  @Test(arguments: ["/dev/null", "/dev", "/"])
  func `what is not a regular file is refused`(path: String) {
    #expect(failure(of: path) == RecordFailure(.unreadable, "not a regular file"))
  }

  @Test func `a link stands for its file only where links are followed`() throws {
    try directory.write("a.png")
    try directory.link("b.png", to: "a.png")
    #expect(failure(of: directory.file("b.png")) == nil)
    #expect(failure(of: directory.file("b.png"), followsLinks: false)?.code == .unreadable)
  }

  @Test(arguments: [false, true])
  func `a large file gives the same as its bytes do`(digests: Bool) throws {
    let bytes = try Fixtures.bytes("size-640x480.png") + Array(repeating: 7, count: 3 << 20)
    let path = try directory.write("a.png", bytes)
    var encoder = FileEncoder(PlaceholderOptions(), LimitOptions())
    encoder.digests = digests
    let record = encoder.record(of: FilePath(path), followsLinks: true)
    let held = encoder.record(of: bytes.span, at: FilePath(path))
    guard case .encoded(let ours, _) = record.outcome, case .encoded(let expected, _) = held.outcome
    else {
      Issue.record("not encoded")
      return
    }
    #expect(ours == expected)
    #expect(record.digest == held.digest)
  }

  @Test func `an empty file is said to be empty`() throws {
    let file = try directory.write("a.png", [])
    #expect(failure(of: file) == RecordFailure(.unsupportedFormat, "empty file"))
  }

  @Test func `a file above the limit is refused by its size`() throws {
    let file = try directory.write("a.png")
    let size = TemporaryDirectory.png.count
    #expect(failure(of: file, maximumByteCount: size) == nil)
    #expect(
      failure(of: file, maximumByteCount: size - 1)
        == RecordFailure(
          .tooLarge, "the file is \(size) bytes, above the limit of \(size - 1) bytes"))
  }

  @Test(
    .disabled(if: getuid() == 0, "everything is readable for root"))
  func `a file without permission is unreadable`() throws {
    let file = try directory.write("a.png")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
    #expect(failure(of: file) == RecordFailure(.unreadable, "Permission denied"))
  }
}
