import LqipSystem
import LqipRecords
import PlaceholderEncoding

/// The route that encodes images into records, like `lqip encode`.
struct EncodeRoute: Route {
  /// The maximum number of files in a form.
  private static let maximumFileCount = 100
  /// The maximum length of a content coding that an error message repeats.
  private static let maximumCodingLength = 32

  let limits: LimitOptions

  let path = "/v1/encode"
  let methods = ["POST"]
  let isPublic = false

  /// The query parameters of a request.
  private struct Parameters {
    var placeholders = PlaceholderOptions()
    var records = RecordOptions()

    static let table: [CommandOption<Self>] =
      PlaceholderOptions.table.map { $0.lifted(to: \.placeholders) }
      + [RecordOptions.profileOption, RecordOptions.kindsOption].map { $0.lifted(to: \.records) }
  }

  /// The media types of a response.
  private enum MediaType: String, CaseIterable {
    case json = "application/json"
    case text = "text/plain"
  }

  func accept(_ head: RequestHead) throws(Problem) -> Acceptance {
    let coding = head.list("content-encoding").first { $0.lowercased() != "identity" }
    if let coding { throw Self.unsupportedCoding(coding) }
    var parameters = Parameters()
    try QueryParameters.read(head.query, into: &parameters, by: Parameters.table)
    let mediaType = try Self.mediaType(for: head)
    if mediaType == .text, parameters.records.kinds?.count ?? 1 > 1 {
      throw .badParameter(
        "a text/plain response has one placeholder per image; set 'kinds' to one kind")
    }
    let form = try MultipartForm(
      contentType: head[field: "content-type"], maximumFileCount: Self.maximumFileCount)
    return .handle(
      RequestHandler(
        work: .encoding, maximumBodyByteCount: limits.byteCount
      ) { [parameters] body, decode throws(Problem) in
        try body.withSpan { bytes throws(Problem) in
          try respond(bytes, form, parameters, mediaType, decode)
        }
      })
  }

  private func respond(
    _ bytes: Span<UInt8>, _ form: MultipartForm?, _ parameters: Parameters, _ mediaType: MediaType,
    _ decode: RequestHandler.Decode
  ) throws(Problem) -> Response {
    let clock = ContinuousClock()
    let start = clock.now
    let layout = parameters.records.layout
    var response: Response
    if let form {
      let files = try form.files(in: bytes)
      guard !files.isEmpty else {
        throw Problem(status: 400, code: "no_files", detail: "the form contains no files")
      }
      // The time limit applies to the complete request, not to each file.
      let deadline = start + limits.timeout
      let records = files.map { file in
        guard let range = file.range else {
          return PlaceholderRecord(path: file.name, outcome: .failed(Self.partHeaderTooLarge))
        }
        return record(
          of: bytes.extracting(range), at: file.name, parameters, layout,
          within: deadline - clock.now, decode)
      }
      response = self.response(
        mediaType, records, parameters.records.chosenKinds,
        .array(records.map { layout.json(of: $0) }))
      let failures = records.compactMap(\.failure)
      if failures.count == records.count, let first = failures.first {
        let problem = problem(first, byteCount: bytes.count)
        response.status = problem.status
        response.outcome = problem.code
        response.fields += problem.response.fields.filter { $0.name == "retry-after" }
      }
    } else {
      let record = record(
        of: bytes, at: FilePath([]), parameters, layout, within: limits.timeout, decode)
      if case .failed(let failure) = record.outcome {
        response = problem(failure, byteCount: bytes.count).response
      } else {
        response = self.response(
          mediaType, [record], parameters.records.chosenKinds, layout.json(of: record))
      }
    }
    response.decodingTime = clock.now - start
    return response
  }

  /// Returns the problem for a compressed body: RFC 9110, section 15.5.16.
  private static func unsupportedCoding(_ coding: Substring) -> Problem {
    Problem(
      status: 415, code: "unsupported_coding",
      detail: "unsupported content coding '\(coding.prefix(maximumCodingLength))'; "
        + "send the image without Content-Encoding",
      fields: ["accept-encoding": "identity"])
  }

  /// Selects the media type of the response from `Accept`; quality values are ignored.
  private static func mediaType(for head: RequestHead) throws(Problem) -> MediaType {
    let types = head.list("accept").map { element in
      element.prefix { $0 != ";" }.trimmingBlanks.lowercased()
    }
    let json = [MediaType.json.rawValue, "application/*", "*/*"]
    let text = [MediaType.text.rawValue, "text/*"]
    if types.isEmpty || types.contains(MediaType.json.rawValue) { return .json }
    if types.contains(where: text.contains) { return .text }
    if types.contains(where: json.contains) { return .json }
    let supported = MediaType.allCases.map(\.rawValue).joined(separator: ", ")
    throw Problem(status: 406, code: "not_acceptable", detail: "supported types: \(supported)")
  }

  private static let partHeaderTooLarge = RecordFailure(
    .tooLarge,
    "the part's headers exceed \(ByteCount.text(MultipartForm.maximumHeadByteCount))")

  private func record(
    of bytes: Span<UInt8>, at path: FilePath, _ parameters: Parameters, _ layout: RecordLayout,
    within time: Duration, _ decode: RequestHandler.Decode
  ) -> PlaceholderRecord {
    guard time > .zero else {
      return PlaceholderRecord(path: path, outcome: .failed(RecordFailure(WorkerFailure.timedOut)))
    }
    var encoder = FileEncoder(
      parameters.placeholders, limits, kinds: parameters.records.chosenKinds)
    encoder.digests = layout.needsDigest
    let reply = decode(encoder.task(byteCount: bytes.count), bytes, time)
    if let record = encoder.record(reply, at: path) { return record }
    preconditionFailure("a request body always has a record")
  }

  private func response(
    _ mediaType: MediaType, _ records: [PlaceholderRecord], _ kinds: Set<PlaceholderKind>,
    _ json: JSON
  ) -> Response {
    // A text response has one kind: the requested one, or BlurHash by default.
    let kind = kinds.first.flatMap { kinds.count == 1 ? $0 : nil } ?? .blurHash
    let (type, body) =
      switch mediaType {
      case .json: ("application/json", json.bytes + [UInt8(ascii: "\n")])
      case .text:
        // A failed file has an empty line, so that lines correspond to files.
        (
          "text/plain; charset=utf-8",
          records.flatMap { Array("\($0.text(of: kind))\n".utf8) }
        )
      }
    return Response(
      status: 200, fields: [("content-type", type), ("cache-control", "no-store")], body: body)
  }

  /// Returns the problem for an image that could not be encoded.
  private func problem(_ failure: RecordFailure, byteCount: Int) -> Problem {
    let status =
      switch failure.code {
      case .unsupportedFormat: 415
      case .tooLarge: byteCount > limits.byteCount ? 413 : 422
      case .corrupt, .truncated, .decoderFailed: 422
      case .timeout: 504
      case .unreadable: 500
      // Memory is exhausted or a codec library is missing, so a retry may succeed.
      case .internal: 503
      }
    return Problem(
      status: status, code: failure.code.rawValue, detail: failure.message,
      retryAfter: status == 503 ? 1 : nil)
  }
}
