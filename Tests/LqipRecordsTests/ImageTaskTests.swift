import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem
@testable import PlaceholderEncoding

@Suite struct EncodingResultTests {
  private static let replies: [EncodingResult] = {
    var options = PlaceholderOptions()
    options.lqip.method = .six
    let settings = EncoderSettings(options, LimitOptions(), kinds: PlaceholderKind.allCases)
    let names = ["size-640x480.png", "webp-alpha.webp", "gif-animated-301-frames.gif"]
    let images = names.map { name in
      let bytes = (try? Fixtures.bytes(name)) ?? []
      var task = ImageTask(settings, byteCount: bytes.count)
      task.includesDigest = true
      return task.reply(for: bytes.span)
    }
    return images + [
      .failed(RecordFailure(.corrupt, "damaged “PNG” image")),
      .failed(RecordFailure(.decoderFailed, "")),
    ]
  }()

  @Test(arguments: replies)
  func `a reply round-trips, and is malformed if truncated or extended`(reply: EncodingResult)
    throws
  {
    let bytes = reply.bytes
    #expect(try EncodingResult(parsing: bytes) == reply)
    for part in bytes.indices.map({ Array(bytes[..<$0]) }) + [bytes + [0]] {
      #expect(throws: MalformedMessage()) { try EncodingResult(parsing: part) }
    }
  }

  @Test func `a message longer than a kilobyte is cut between characters`() throws {
    let message = "a" + String(repeating: "é", count: 600)
    let reply = EncodingResult.failed(RecordFailure(.corrupt, message))
    let cut = EncodingResult.failed(RecordFailure(.corrupt, String(message.prefix(512))))
    #expect(try EncodingResult(parsing: reply.bytes) == cut)
  }

  @Test(arguments: replies)
  func `a forged reply is rejected or within the limits of a record`(reply: EncodingResult) {
    let bytes = reply.bytes
    for index in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF, bytes[index] ^ 1] {
        var forged = bytes
        forged[index] = value
        guard case .encoded(let image, _, _)? = try? EncodingResult(parsing: forged) else {
          continue
        }
        #expect(image.width > 0 && image.height > 0)
        #expect(image.palette?.swatches.allSatisfy { (0...1).contains($0.share) } ?? true)
        #expect(image.tiny.map { $0.bytes.count <= 24 } ?? true)
        #expect(image.preview.map { $0.bytes.count <= 8 << 10 } ?? true)
      }
    }
  }

  /// Tasks that together cover a non-default value of every setting.
  private static let tasks: [ImageTask] = {
    let settings = EncoderSettings(PlaceholderOptions(), LimitOptions(), kinds: [])
    let plain = ImageTask(settings, byteCount: 0)
    var options = PlaceholderOptions()
    (options.blurHash.components, options.blurHash.method) = (.exactly(x: 9, y: 1), .fitted)
    (options.lqip.method, options.preview.format) = (.six, .jpeg)
    (options.tiny.maximumByteCount, options.preview.maximumByteCount) = (16, 8192)
    options.decoding.background = SRGBColor(red: 1, green: 2, blue: 3)
    options.decoding.isExact = true
    (options.decoding.isLenient, options.decoding.verifiesWholeFile) = (true, true)
    var limits = LimitOptions()
    (limits.byteCount, limits.pixelCount, limits.memory) = (1, 2, 3)
    var full = ImageTask(
      EncoderSettings(options, limits, kinds: PlaceholderKind.allCases), byteCount: 1 << 40)
    full.includesDigest = true
    return [plain, full]
  }()

  @Test(arguments: tasks)
  func `a task round-trips through its encoding`(task: ImageTask) throws {
    #expect(try ImageTask(parsing: task.bytes) == task)
    #expect(task.bytes.count < WorkerRequest.limit)
  }
}

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
