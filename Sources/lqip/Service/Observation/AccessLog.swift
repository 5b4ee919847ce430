import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// An access log with one line per finished request and per connection without a valid request.
package struct AccessLog: Sendable {
  package enum Format: String, CaseIterable, Sendable {
    case text, json, none
  }

  /// The maximum length of a client-supplied value in the log, in Unicode scalars.
  private static let maximumLength = 128

  let write: @Sendable (RequestSummary) -> Void

  init(write: @escaping @Sendable (RequestSummary) -> Void) {
    self.write = write
  }

  package init(format: Format, writer: LogWriter) {
    self.init { summary in
      let members = Self.members(of: summary, at: .now)
      switch format {
      case .text: writer.write(Array(Self.text(of: members).utf8))
      case .json: writer.write(Self.json(of: members).bytes)
      case .none: break
      }
    }
  }

  /// Returns the members of a line, in order; `nil` for an unknown value.
  static func members(
    of summary: RequestSummary, at time: Timestamp
  ) -> [(name: String, value: JSON?)] {
    func text(_ value: String?) -> JSON? {
      value.map { .string(String($0.unicodeScalars.prefix(maximumLength))) }
    }
    if ["malformed", "no_thread"].contains(summary.outcome) {
      return [
        ("time", .string(time.text)), ("outcome", .string(summary.outcome)),
        ("client", text(summary.client ?? "-")),
      ]
    }
    return [
      ("time", .string(time.text)), ("id", text(summary.id)), ("method", text(summary.method)),
      ("client", text(summary.client)), ("route", text(summary.route)),
      ("status", .integer(summary.status)), ("outcome", .string(summary.outcome)),
      ("bytes_in", .integer(summary.bytesIn)), ("bytes_out", .integer(summary.bytesOut)),
      ("decode_ms", summary.decodingTime.map { .number($0.milliseconds) }),
      ("total_ms", .number(summary.totalTime.milliseconds)),
      ("decoder", text(summary.decoderFailure?.reason)),
      ("sha256", text(summary.decoderFailure?.digest.hex)),
    ]
  }

  static func json(of members: [(name: String, value: JSON?)]) -> JSON {
    .object(members.compactMap { name, value in value.map { (name: name, value: $0) } })
  }

  /// Returns a line for people: columns up to the outcome, then the known values with their names.
  static func text(of members: [(name: String, value: JSON?)]) -> String {
    let end = (members.firstIndex { $0.name == "outcome" } ?? 0) + 1
    let columns = members[..<end].map { column($0.value) }
    let others = members[end...].filter { $0.value != nil }
    return (columns + others.map { "\($0.name)=\(column($0.value))" }).joined(separator: " ")
  }

  /// Escapes a value, so that it fills exactly one column; an empty or unknown value becomes `-`.
  private static func column(_ value: JSON?) -> String {
    guard case .string(let text)? = value else {
      return value.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "-"
    }
    return text.isEmpty ? "-" : FilePath(text).description.replacing(" ", with: "?")
  }
}

/// The summary of a finished request, or of a connection without a valid request.
struct RequestSummary: Sendable {
  /// The request ID, as in the response: the client's, or a random one.
  var id = String(UInt64.random(in: .min ... .max), radix: 16, minimumLength: 16)
  /// The method, if the head of the request arrived.
  var method: String?
  /// The client's address, if known.
  var client: String?
  /// The path of the route, if any.
  var route: String?
  /// The status of the response; 499 if the client disconnected first.
  var status = 499
  /// The reason for a decoder failure and the digest of the image, if a decoder failed.
  var decoderFailure: (reason: String, digest: SHA256Digest)?
  /// The number of received body bytes.
  var bytesIn = 0
  /// The number of body bytes in the response.
  var bytesOut = 0
  /// The time spent on decoding and encoding; `nil` if no image was decoded.
  var decodingTime: Duration?
  /// The time from the request line to the end of the response.
  var totalTime = Duration.zero
  /// The outcome: `ok`, the code of the problem, `aborted`, `malformed` or `no_thread`.
  ///
  /// `aborted`: the response was not delivered. `malformed`: the client sent something other than a valid request, such
  /// as a TLS handshake. `no_thread`: the system could not start a thread for the connection.
  var outcome = "aborted"
}

extension Duration {
  /// The duration in milliseconds, truncated to microseconds.
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1000
  }
}
