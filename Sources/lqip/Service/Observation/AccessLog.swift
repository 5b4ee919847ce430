import LqipSystem
import LqipRecords

/// An access log with one line per finished request and per connection without a valid request.
package struct AccessLog: Sendable {
  package enum Format: String, CaseIterable, Sendable {
    case text, json, none
  }

  /// The maximum length of a client-supplied value in the log, in characters; longer values are
  /// truncated.
  private static let maximumLength = 128

  /// Writes the log line of a request, or of a connection without a valid request.
  let write: @Sendable (RequestSummary) -> Void

  init(write: @escaping @Sendable (RequestSummary) -> Void) {
    self.write = write
  }

  package init(format: Format, writer: LogWriter) {
    self.init { summary in
      switch format {
      case .text: writer.write(Array(Self.text(summary, at: .now).utf8))
      case .json: writer.write(Self.json(summary, at: .now).bytes)
      case .none: break
      }
    }
  }

  static func json(_ summary: RequestSummary, at time: Timestamp) -> JSON {
    var members: [(name: String, value: JSON)] = [("time", .string(time.text))]
    func add(_ name: String, _ text: String?) {
      if let text { members.append((name, .string(String(text.prefix(maximumLength))))) }
    }
    if summary.outcome == "malformed" {
      add("outcome", summary.outcome)
      add("client", summary.client ?? "-")
      return .object(members)
    }
    add("id", summary.id)
    add("method", summary.method)
    add("client", summary.client)
    add("trace", summary.trace)
    add("route", summary.route)
    members += [
      ("status", .integer(summary.status)), ("outcome", .string(summary.outcome)),
      ("bytes_in", .integer(summary.bytesIn)), ("bytes_out", .integer(summary.bytesOut)),
    ]
    if let time = summary.decodingTime { members.append(("decode_ms", .number(time.milliseconds))) }
    members.append(("total_ms", .number(summary.totalTime.milliseconds)))
    add("decoder", summary.decoderFailure?.reason)
    add("sha256", summary.decoderFailure?.digest.hex)
    return .object(members)
  }

  static func text(_ summary: RequestSummary, at time: Timestamp) -> String {
    if summary.outcome == "malformed" {
      return "\(time.text) - - - - malformed client=\(column(summary.client ?? ""))"
    }
    func labeled(_ name: String, _ value: String?) -> String {
      value.map { " \(name)=\(column($0))" } ?? ""
    }
    let decoding = summary.decodingTime.map { " decode=\($0.milliseconds)ms" } ?? ""
    return "\(time.text) \(column(summary.id)) \(column(summary.method)) \(summary.route ?? "-") "
      + "\(summary.status) \(summary.outcome) in=\(summary.bytesIn) out=\(summary.bytesOut)"
      + "\(decoding) total=\(summary.totalTime.milliseconds)ms"
      + labeled("decoder", summary.decoderFailure?.reason)
      + labeled("sha256", summary.decoderFailure?.digest.hex)
      + labeled("client", summary.client) + labeled("trace", summary.trace)
  }

  /// Escapes and truncates a value sent by a client, so that it fills exactly one column; an empty
  /// value becomes `-`.
  private static func column(_ text: String) -> String {
    let text = String(text.prefix(maximumLength))
    return text.isEmpty ? "-" : FilePath(text).description.replacing(" ", with: "?")
  }
}
