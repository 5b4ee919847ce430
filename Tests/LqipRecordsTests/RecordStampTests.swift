import Foundation
import LqipTestSupport
import PlaceholderEncoding
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem

@Suite struct RecordStampTests {
  private func status(
    _ byteCount: Int = 73, modified: Timestamp = Timestamp(seconds: 7, nanoseconds: 0),
    changed: Timestamp
  ) -> FileStatus {
    var status = stat()
    status.st_size = off_t(byteCount)
    let times = [modified, changed].map { timespec(tv_sec: $0.seconds, tv_nsec: $0.nanoseconds) }
    #if canImport(Darwin)
    (status.st_mtimespec, status.st_ctimespec) = (times[0], times[1])
    #else
    (status.st_mtim, status.st_ctim) = (times[0], times[1])
    #endif
    return FileStatus(status)
  }

  @Test func `a stamp contains the size, the modification and change times, and the settings`() {
    let modified = Timestamp(seconds: 1_000_000_000, nanoseconds: 7)
    let changed = Timestamp(seconds: 1_700_000_000, nanoseconds: 120_000_000)
    let now = Timestamp(seconds: 1_700_000_001, nanoseconds: 0)
    let stamp = RecordStamp(
      status(modified: modified, changed: changed), settings: "1 a,b x", at: now)
    #expect(stamp.text == "73 1000000000.000000007 1700000000.120000000 1 a,b x")
    let old = RecordStamp(
      status(0, modified: Timestamp(seconds: -2, nanoseconds: 5), changed: changed),
      settings: "1", at: now)
    #expect(old.text == "0 -2.000000005 1700000000.120000000 1")
  }

  @Test(arguments: [false, true])
  func `the record of an unchanged file ends with the file's stamp, unless the file is racy`(
    isFailure: Bool
  ) throws {
    let status = status(changed: Timestamp(seconds: 100, nanoseconds: 1))
    for isRacy in [false, true] {
      let now = Timestamp(seconds: isRacy ? 100 : 110, nanoseconds: 2)
      let stamp = RecordStamp(status, settings: "1 a x", at: now)
      let record =
        isFailure ? Samples.failure([0x61], stamp: stamp) : Samples.image([0x61], stamp: stamp)
      let line = RecordLayout(.ndjson).entry(for: record)
      let end = RecordStamp.lineEnd(of: status, settings: Array("1 a x".utf8))
      #expect(end.starts(with: ",\"stamp\":\"73 ".utf8))
      #expect(line.reversed().starts(with: end.reversed()) == !isRacy)
      for (byteCount, settings) in [(73, "1 a y"), (74, "1 a x")] {
        let other = RecordStamp.lineEnd(
          of: self.status(byteCount, changed: status.changed), settings: Array(settings.utf8))
        #expect(!line.reversed().starts(with: other.reversed()))
      }
      #expect(RecordStamp.changeTime(ofLine: line) == status.changed)
    }
    #expect(RecordStamp.changeTime(ofLine: Array("{\"path\":\"a\"}".utf8)) == nil)
  }

  @Test(arguments: [
    (5, 100, 5, true), (5, 100, 20_000_004, true), (5, 100, 20_000_005, false),
    (999_999_999, 101, 19_999_998, true), (999_999_999, 101, 19_999_999, false),
    // The change time is in the future, within the granularity or far beyond it.
    (5, 99, 999_999_999, true), (5, 90, 0, false),
    // The file system does not store nanoseconds.
    (0, 101, 999_999_999, true), (0, 102, 0, false),
  ])
  func `a file is racy only if it changed within the timestamp granularity`(
    nanoseconds: Int, now: Int, nowNanoseconds: Int, isRacy: Bool
  ) {
    let stamp = RecordStamp(
      status(changed: Timestamp(seconds: 100, nanoseconds: nanoseconds)), settings: "1",
      at: Timestamp(seconds: now, nanoseconds: nowNanoseconds))
    #expect(stamp.text.hasSuffix(" racy 1") == isRacy)
  }

  @Test(arguments: [
    (RecordFailure.Code.corrupt, true), (.tooLarge, true), (.timeout, false), (.unreadable, false),
    (.decoderFailed, false), (.internal, false),
  ])
  func `a failure has a stamp unless it is transient`(
    code: RecordFailure.Code, isStamped: Bool
  ) {
    let stamp = RecordStamp(
      status(changed: Timestamp(seconds: 1, nanoseconds: 1)), settings: "1", at: .now)
    let record = PlaceholderRecord(
      path: FilePath("a"), outcome: .failed(RecordFailure(code, "")), stamp: stamp)
    #expect(record.stamp == (isStamped ? stamp : nil))
  }
}
