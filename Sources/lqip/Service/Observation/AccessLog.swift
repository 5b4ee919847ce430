import LqipSystem
import LqipRecords

/// An access log with one line per finished request and per connection without a valid request.
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

  /// Returns the line for a connection without a request, without a line break.
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

  /// Returns the line for a request, without a line break.
  func line(_ summary: RequestSummary, at time: Timestamp) -> [UInt8]? {
    switch format {
    case .none: return nil
    case .json: return json(summary, at: time).bytes
    case .text:
      let decoding = summary.decodingTime.map { " decode=\($0.milliseconds)ms" } ?? ""
      return Array(
        ("\(time.text) \(column(summary.id)) \(column(summary.method)) \(summary.route ?? "-") "
          + "\(summary.status) \(summary.outcome) in=\(summary.bytesIn) out=\(summary.bytesOut)"
          + "\(decoding) total=\(summary.totalTime.milliseconds)ms"
          + labeled("decoder", summary.decoderFailure?.reason)
          + labeled("sha256", summary.decoderFailure?.digest.hex)
          + labeled("client", summary.client) + labeled("trace", summary.trace)).utf8)
    }
  }

  private func labeled(_ name: String, _ value: String?) -> String {
    value.map { " \(name)=\(column($0))" } ?? ""
  }

  private func json(_ summary: RequestSummary, at time: Timestamp) -> JSON {
    var members: [(name: String, value: JSON)] = [
      ("time", .string(time.text)), ("id", .string(summary.id)),
      ("method", .string(truncated(summary.method))),
    ]
    if let client = summary.client { members.append(("client", .string(truncated(client)))) }
    if let trace = summary.trace { members.append(("trace", .string(truncated(trace)))) }
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

  /// Escapes and truncates a client's text, so that it fills exactly one column.
  private func column(_ text: String) -> String {
    text.isEmpty ? "-" : FilePath(truncated(text)).description.replacing(" ", with: "?")
  }

  /// Truncates a client's text, which can be as long as a request head.
  private func truncated(_ text: String) -> String {
    String(text.prefix(Self.maximumLength))
  }
}
