import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipOptions
@testable import LqipRecords
@testable import PlaceholderEncoding

@Suite struct RecordReuseTests {
  private let directory: TemporaryDirectory
  private let status: FileStatus

  init() throws {
    directory = try TemporaryDirectory()
    let path = FilePath(try directory.write("a.png"))
    try directory.setModified("a.png", 1_000_000_000, nanoseconds: 7)
    status = try FileStatus(of: path, followsLinks: false)
  }

  /// The key of a record, in which algorithm 1 stands for the present one.
  private func key(_ members: String) throws -> RecordKey {
    let text = #"{"path":"a.png","bytes":73,"modified":"2001-09-09T01:46:40.000000007Z""#
    let present = #""encoder":"\#(PlaceholderEncoder.algorithmVersion)"#
    let record = text + members.replacing(#""encoder":"1"#, with: present) + "}"
    return try #require(RecordKey(parsing: Array(record.utf8), RecordForm(.ndjson)))
  }

  private func reuse(
    _ members: String, _ settings: [String] = [], comparesContent: Bool = false,
    limits: (inout LimitOptions) -> Void = { _ in }
  ) throws -> RecordReuse {
    var options = LimitOptions()
    limits(&options)
    let style = RecordStamp.Style(
      settings: settings, limits: options, comparesContent: comparesContent)
    return try key(members).reuse(for: status, style)
  }

  @Test func `a record holds with its size, time and settings`() throws {
    #expect(try reuse(#","encoder":"1 lqip=six""#, ["lqip=six"]) == .holds)
    #expect(try reuse(#","encoder":"1 lqip=six""#) == .isOutdated(.otherSettings))
    #expect(try reuse(#","encoder":"0""#) == .isOutdated(.otherSettings))
    #expect(try reuse("") == .isOutdated(.unstamped))
    #expect(
      try reuse(#","error":{"code":"timeout","message":""}"#) == .isOutdated(.failedForTheMoment))
    try directory.write("b", [1])
    let other = try FileStatus(of: FilePath(directory.file("b")), followsLinks: false)
    let style = RecordStamp.Style(settings: [], comparesContent: false)
    #expect(try key(#","encoder":"1""#).reuse(for: other, style) == .isOutdated(.changed))
  }

  @Test(arguments: [
    #","blurhash":"nonsense""#, #","width":0,"height":2"#, #","w":3,"h":"x""#,
    #","blurhash":"005?}k005?}k""#,
  ])
  func `a record that cannot be is made again`(members: String) throws {
    #expect(try reuse(members + #","encoder":"1""#) == .isOutdated(.implausible))
  }

  @Test func `checksums are checked or added in place`() throws {
    #expect(try reuse(#","encoder":"1""#, ["sha256"], comparesContent: true) == .holdsIfContentDoes)
    #expect(try reuse(#","sha256":"00","encoder":"1 sha256""#) == .holds)
  }

  private static let failed = #","encoder":"1 max-bytes=10","error":{"code":"too_large"}"#

  @Test func `raising a limit makes again what failed by it, and nothing else`() throws {
    #expect(try reuse(Self.failed) { $0.byteCount = 10 } == .holds)
    #expect(try reuse(Self.failed) { $0.byteCount = 72 } == .holds)
    #expect(try reuse(Self.failed) { $0.byteCount = 73 } == .isOutdated(.otherLimits))
    #expect(try reuse(Self.failed) == .isOutdated(.otherLimits))
    #expect(try reuse(Self.failed) { ($0.byteCount, $0.memory) = (10, 1 << 40) } == .holds)
    let image = #","encoder":"1","width":3,"height":2"#
    #expect(try reuse(image) { ($0.byteCount, $0.pixelCount) = (1 << 40, 1 << 40) } == .holds)
    #expect(try reuse(image) { $0.memory = 1 << 40 } == .holds)
    let pixels = #","encoder":"1 max-pixels=5","error":{"code":"too_large"}"#
    #expect(try reuse(pixels) { $0.pixelCount = 5 } == .holds)
    #expect(try reuse(pixels) { $0.pixelCount = 6 } == .isOutdated(.otherLimits))
    #expect(
      try reuse(pixels) {
        $0.byteCount = 1 << 40; $0.pixelCount = 5
      } == .holds)
  }

  @Test func `lowering a limit makes again what is above it`() throws {
    let image = #","encoder":"1","width":3,"height":2"#
    #expect(try reuse(image) { $0.byteCount = 73 } == .holds)
    #expect(try reuse(image) { $0.byteCount = 72 } == .isOutdated(.otherLimits))
    #expect(try reuse(image) { $0.pixelCount = 6 } == .holds)
    #expect(try reuse(image) { $0.pixelCount = 5 } == .isOutdated(.otherLimits))
    #expect(try reuse(image) { $0.memory = 1 } == .isOutdated(.otherLimits))
    let corrupt = #","encoder":"1","error":{"code":"corrupt"}"#
    #expect(try reuse(corrupt) { $0.byteCount = 72 } == .isOutdated(.otherLimits))
  }
}
