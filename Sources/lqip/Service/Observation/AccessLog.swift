import LqipSystem
import LqipRecords

/// Writes a line for each request that is over, and for each connection that is refused or brings
/// something other than a request.
package struct AccessLog: ServerObserver {
  package enum Format: String, CaseIterable, Sendable {
    case text, json, none
  }

  private static let maximumLength = 128

  let format: Format
  private let writer: LogWriter

  package init(format: Format, writer: LogWriter) {
    self.format = format
    self.writer = writer
  }

  func observe(_ event: ServerEvent) {
    let line: [UInt8]? =
      switch event {
      case .requestFinished(let summary): line(summary, at: .now)
      case .connectionUnreadable(let client): line("malformed", client: client, at: .now)
      default: nil
      }
    if let line { writer.write(line) }
  }

  /// The line for a connection without a request, without its end.
  func line(_ outcome: String, client: String?, at time: Timestamp) -> [UInt8]? {
    let client = client ?? "-"
    switch format {
    case .none: return nil
    case .json:
      return JSON.object([
        ("time", .string(time.text)), ("outcome", .string(outcome)), ("client", .string(client)),
      ]).bytes
    case .text: return Array("\(time.text) - - - - \(outcome) client=\(client)".utf8)
    }
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
          + "\(decoding) total=\(summary.totalTime.milliseconds)ms"
          + labeled("decoder", summary.decoderFailure?.reason)
          + labeled("sha256", summary.decoderFailure?.digest.hex)
          + labeled("client", summary.client) + labeled("trace", summary.trace)).utf8)
    }
  }

  private func labeled(_ name: String, _ value: String?) -> String {
    value.map { " \(name)=\(field($0))" } ?? ""
  }

  private func json(_ summary: RequestSummary, at time: Timestamp) -> JSON {
    var members: [(name: String, value: JSON)] = [
      ("time", .string(time.text)), ("id", .string(summary.id)),
      ("method", .string(cut(summary.method))),
    ]
    if let client = summary.client { members.append(("client", .string(cut(client)))) }
    if let trace = summary.trace { members.append(("trace", .string(cut(trace)))) }
    if let route = summary.route { members.append(("route", .string(route))) }
    members += [
      ("status", .integer(summary.status)), ("outcome", .string(summary.outcome)),
      ("bytes_in", .integer(summary.bytesIn)), ("bytes_out", .integer(summary.bytesOut)),
    ]
    if let decoding = summary.decodingTime {
      members.append(("decode_ms", .number(decoding.milliseconds)))
    }
    members.append(("total_ms", .number(summary.totalTime.milliseconds)))
    if let failure = summary.decoderFailure {
      members += [("decoder", .string(failure.reason)), ("sha256", .string(failure.digest.hex))]
    }
    return .object(members)
  }

  /// A word of the client's, kept from looking like several.
  private func field(_ text: String) -> String {
    text.isEmpty ? "-" : FilePath(cut(text)).description.replacing(" ", with: "?")
  }

  /// What a client sends may be as long as a head.
  private func cut(_ text: String) -> String {
    String(text.prefix(Self.maximumLength))
  }
}
