internal import LqipFiles
internal import LqipRecords

/// Writes a line for each request that is over.
package struct AccessLog: ServerObserver {
  package enum Format: String, CaseIterable, Sendable {
    case text, json, none
  }

  let format: Format
  var descriptor = STDERR_FILENO

  package init(format: AccessLog.Format, descriptor: Int32 = STDERR_FILENO) {
    self.format = format
    self.descriptor = descriptor
  }

  func requestFinished(_ summary: RequestSummary) {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    guard let line = line(summary, at: Timestamp(now)) else { return }
    // A line that cannot be written must not keep a request from its end.
    try? FileDescriptor.writeAll(line + [UInt8(ascii: "\n")], to: descriptor)
  }

  /// The line for a request, without its end.
  func line(_ summary: RequestSummary, at time: Timestamp) -> [UInt8]? {
    switch format {
    case .none: return nil
    case .json: return json(summary, at: time).bytes
    case .text:
      let decoding = summary.decodingTime.map { " decode=\($0.milliseconds)ms" } ?? ""
      return Array(
        ("\(time.text) \(field(summary.id)) \(field(summary.method)) \(summary.route ?? "-") "
          + "\(summary.status) \(summary.outcome) in=\(summary.bytesIn) out=\(summary.bytesOut)"
          + "\(decoding) total=\(summary.totalTime.milliseconds)ms").utf8)
    }
  }

  private func json(_ summary: RequestSummary, at time: Timestamp) -> JSON {
    var members: [(name: String, value: JSON)] = [
      ("time", .string(time.text)), ("id", .string(summary.id)),
      ("method", .string(summary.method)),
    ]
    if let route = summary.route { members.append(("route", .string(route))) }
    members += [
      ("status", .integer(summary.status)), ("outcome", .string(summary.outcome)),
      ("bytes_in", .integer(summary.bytesIn)), ("bytes_out", .integer(summary.bytesOut)),
    ]
    if let decoding = summary.decodingTime {
      members.append(("decode_ms", .number(decoding.milliseconds)))
    }
    members.append(("total_ms", .number(summary.totalTime.milliseconds)))
    return .object(members)
  }

  /// A word of the client's, kept from looking like several.
  private func field(_ text: String) -> String {
    text.isEmpty ? "-" : FilePath(text).description.replacing(" ", with: "?")
  }
}
