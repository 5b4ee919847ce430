import LqipSystem
import LqipRecords
import PlaceholderEncoding

/// Turns images into their records, as `lqip encode` does.
struct EncodeRoute: Route {
  /// The most files of one form.
  private static let maximumFileCount = 100
  /// How much of an unknown name is repeated to its sender.
  private static let maximumCodingLength = 32

  let limits: LimitOptions

  let path = "/v1/encode"
  let methods = ["POST"]
  let isPublic = false

  /// What a request may choose.
  private struct Choices {
    var placeholders = PlaceholderOptions()
    var records = RecordOptions()

    static let table: [CommandOption<Self>] =
      PlaceholderOptions.table.map { $0.lifted(to: \.placeholders) }
      + [RecordOptions.profileOption, RecordOptions.kindsOption].map { $0.lifted(to: \.records) }
  }

  /// What records are sent as; the first is for clients that take anything.
  private enum Notation: String, CaseIterable {
    case json = "application/json"
    case text = "text/plain"
  }

  func accept(_ head: RequestHead) throws(Problem) -> Acceptance {
    let coding = head.list("content-encoding").first { $0.lowercased() != "identity" }
    if let coding { throw Self.refusal(of: coding) }
    var choices = Choices()
    try QueryParameters.read(head.query, into: &choices, by: Choices.table)
    let notation = try Self.notation(for: head)
    if notation == .text, choices.records.kinds?.count ?? 1 > 1 {
      throw .badParameter("text/plain returns one placeholder per image; set 'kinds' to one kind")
    }
    let form = try MultipartForm(
      contentType: head[field: "content-type"], maximumFileCount: Self.maximumFileCount)
    return .handle(
      RequestHandler(
        work: .encoding, maximumBodyByteCount: limits.byteCount
      ) { [choices] body, decode throws(Problem) in
        try body.withSpan { bytes throws(Problem) in
          try respond(bytes, form, choices, notation, decode)
        }
      })
  }

  private func respond(
    _ bytes: Span<UInt8>, _ form: MultipartForm?, _ choices: Choices, _ notation: Notation,
    _ decode: RequestHandler.Decode
  ) throws(Problem) -> Response {
    let clock = ContinuousClock()
    let start = clock.now
    let layout = choices.records.layout
    var response: Response
    if let form {
      let files = try form.files(in: bytes)
      guard !files.isEmpty else {
        throw Problem(status: 400, code: "no_files", detail: "the form contains no files")
      }
      // The time is for the request as a whole, however many files it is cut into.
      let deadline = start + limits.timeout
      let records = files.map { file in
        guard let range = file.range else {
          return PlaceholderRecord(path: file.name, outcome: .failed(Self.longHead))
        }
        return record(
          of: bytes.extracting(range), at: file.name, choices, layout,
          within: deadline - clock.now, decode)
      }
      response = self.response(
        notation, records, choices.records.chosenKinds, .array(records.map { layout.json(of: $0) }))
      let failures = records.compactMap(\.failure)
      if failures.count == records.count, let first = failures.first {
        let problem = problem(first, byteCount: bytes.count)
        response.status = problem.status
        response.outcome = problem.code
        response.fields += problem.response.fields.filter { $0.name == "retry-after" }
      }
    } else {
      let record = record(
        of: bytes, at: FilePath([]), choices, layout, within: limits.timeout, decode)
      if case .failed(let failure) = record.outcome {
        response = problem(failure, byteCount: bytes.count).response
      } else {
        response = self.response(
          notation, [record], choices.records.chosenKinds, layout.json(of: record))
      }
    }
    response.decodingTime = clock.now - start
    return response
  }

  /// Says that a body is not decompressed, and what is taken instead: RFC 9110, section 15.5.16.
  private static func refusal(of coding: Substring) -> Problem {
    Problem(
      status: 415, code: "unsupported_coding",
      detail: "unsupported content coding '\(coding.prefix(maximumCodingLength))'; "
        + "send the image without Content-Encoding",
      fields: ["accept-encoding": "identity"])
  }

  /// What the `Accept` field asks for, without its weights: JSON where it is taken, else text.
  private static func notation(for head: RequestHead) throws(Problem) -> Notation {
    let types = head.list("accept").map { element in
      element.prefix { $0 != ";" }.trimmingBlanks.lowercased()
    }
    let json = [Notation.json.rawValue, "application/*", "*/*"]
    let text = [Notation.text.rawValue, "text/*"]
    if types.isEmpty || types.contains(Notation.json.rawValue) { return .json }
    if types.contains(where: text.contains) { return .text }
    if types.contains(where: json.contains) { return .json }
    let supported = Notation.allCases.map(\.rawValue).joined(separator: ", ")
    throw Problem(status: 406, code: "not_acceptable", detail: "supported types: \(supported)")
  }

  private static let longHead = RecordFailure(
    .tooLarge,
    "the part's headers exceed \(ByteCount.text(MultipartForm.maximumHeadByteCount))")

  private func record(
    of bytes: Span<UInt8>, at path: FilePath, _ choices: Choices, _ layout: RecordLayout,
    within time: Duration, _ decode: RequestHandler.Decode
  ) -> PlaceholderRecord {
    guard time > .zero else {
      return PlaceholderRecord(path: path, outcome: .failed(RecordFailure(WorkerFailure.timedOut)))
    }
    var encoder = FileEncoder(
      choices.placeholders, limits, kinds: choices.records.chosenKinds)
    encoder.digests = layout.needsDigest
    let reply = decode(encoder.task(byteCount: bytes.count), bytes, time)
    if let record = encoder.record(reply, at: path) { return record }
    preconditionFailure("a body is encoded in any case")
  }

  private func response(
    _ notation: Notation, _ records: [PlaceholderRecord], _ kinds: Set<PlaceholderKind>,
    _ json: JSON
  ) -> Response {
    // As text there is one kind: the only one, or else the one that is text in any case.
    let kind = kinds.first.flatMap { kinds.count == 1 ? $0 : nil } ?? .blurHash
    let (type, body) =
      switch notation {
      case .json: ("application/json", json.bytes + [UInt8(ascii: "\n")])
      case .text:
        // A file that failed has its line too, so that the others' are where they are expected.
        (
          "text/plain; charset=utf-8",
          records.flatMap { Array("\($0.text(of: kind))\n".utf8) }
        )
      }
    return Response(
      status: 200, fields: [("content-type", type), ("cache-control", "no-store")], body: body)
  }

  /// Why one image has no record.
  private func problem(_ failure: RecordFailure, byteCount: Int) -> Problem {
    let status =
      switch failure.code {
      case .unsupportedFormat: 415
      case .tooLarge: byteCount > limits.byteCount ? 413 : 422
      case .corrupt, .truncated, .decoderFailed: 422
      case .timeout: 504
      case .unreadable: 500
      // Memory, or a library: what is not there now may be there soon.
      case .internal: 503
      }
    return Problem(
      status: status, code: failure.code.rawValue, detail: failure.message,
      retryAfter: status == 503 ? 1 : nil)
  }
}
