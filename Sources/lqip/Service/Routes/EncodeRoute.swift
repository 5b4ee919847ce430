import LqipOptions
import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// The route that encodes images into records, like `lqip encode`.
struct EncodeRoute {
  /// The limit on the wall time of all images of a form, in time limits of an image.
  ///
  /// An image takes up to four: twice its limit of CPU time on a used worker, and again on a new one.
  private static let formTimeFactor = 6

  let limits: LimitOptions

  var route: Route {
    Route(path: "/v1/encode", methods: ["POST"], isPublic: false, accept: accept)
  }

  private struct Parameters {
    var placeholders = PlaceholderOptions()
    var records = RecordOptions()

    static let table: [CommandOption<Self>] =
      PlaceholderOptions.table.map { $0.lifted(to: \.placeholders) }
      + [RecordOptions.profileOption, RecordOptions.kindsOption].map { $0.lifted(to: \.records) }
  }

  private func accept(_ head: RequestHead) throws(Problem) -> Acceptance {
    if let coding = head.list("content-encoding").first(where: { $0.lowercased() != "identity" }) {
      throw Problem(
        status: 415, code: "unsupported_coding",
        detail: "unsupported content coding '\(coding.prefix(32))'; "
          + "send the image without Content-Encoding",
        fields: [("accept-encoding", "identity")])
    }
    var parameters = Parameters()
    try QueryParameters.read(head.query, into: &parameters, by: Parameters.table)
    let wantsText = try Self.wantsText(head)
    if wantsText, parameters.records.kinds?.count ?? 1 > 1 {
      throw .badParameter(
        "a text/plain response has one placeholder per image; set 'kinds' to one kind")
    }
    let form = try MultipartForm(contentType: head[field: "content-type"])
    return .handle(
      RequestHandler(
        work: .encoding, maximumBodyByteCount: limits.byteCount
      ) { [parameters] body, decode throws(Problem) in
        try body.withSpan { bytes throws(Problem) in
          let start = MonotonicTime.now
          let deadline = start + limits.timeout * Self.formTimeFactor
          let rawBody = MultipartForm.File(name: FilePath([]), range: 0..<bytes.count)
          var records = try (form?.files(in: bytes) ?? [rawBody]).map { file in
            record(of: file, in: bytes, parameters, until: deadline, decode)
          }
          if form == nil, let failure = records[0].failure,
            [.unsupportedFormat, .corrupt, .truncated].contains(failure.code)
          {
            let beginning = bytes.extracting(0..<min(bytes.count, 1 << 10))
            let advice = Advice.body(
              beginning.indices.map { beginning[$0] }, contentType: head[field: "content-type"])
            let advised = RecordFailure(failure.code, failure.message + advice)
            records = [PlaceholderRecord(path: records[0].path, outcome: .failed(advised))]
          }
          var response = try response(
            records, isForm: form != nil, parameters.records, wantsText: wantsText)
          response.decodingTime = .now - start
          return response
        }
      })
  }

  /// Returns whether `Accept` selects text instead of JSON; quality values are ignored.
  private static func wantsText(_ head: RequestHead) throws(Problem) -> Bool {
    let types = head.list("accept").map { type in type.prefix { $0 != ";" }.lowercased() }
    if types.isEmpty || types.contains("application/json") { return false }
    if types.contains(where: ["text/plain", "text/*"].contains) { return true }
    if types.contains(where: ["application/*", "*/*"].contains) { return false }
    throw Problem(
      status: 406, code: "not_acceptable",
      detail: "supported types: application/json, text/plain")
  }

  private func record(
    of file: MultipartForm.File, in body: Span<UInt8>, _ parameters: Parameters,
    until deadline: MonotonicTime, _ decode: RequestHandler.Decode
  ) -> PlaceholderRecord {
    guard let range = file.range else {
      let maximum = ByteCount.text(MultipartForm.maximumHeadByteCount)
      let failure = RecordFailure(.tooLarge, "the part's headers exceed \(maximum)")
      return PlaceholderRecord(path: file.name, outcome: .failed(failure))
    }
    let time = min(deadline - .now, limits.timeout)
    guard time > .zero else {
      let failure = RecordFailure(.timeout, "the images before it took too long")
      return PlaceholderRecord(path: file.name, outcome: .failed(failure))
    }
    let encoder = FileEncoder(parameters.placeholders, limits, parameters.records)
    let reply = decode(encoder.task(byteCount: range.count), body.extracting(range), time)
    return PlaceholderRecord(path: file.name, outcome: reply)
  }

  private func response(
    _ records: [PlaceholderRecord], isForm: Bool, _ options: RecordOptions, wantsText: Bool
  ) throws(Problem) -> Response {
    guard let first = records.first else {
      throw Problem(status: 400, code: "no_files", detail: "the form contains no files")
    }
    let problem = records.contains { $0.failure == nil } ? nil : first.failure.map(problem)
    if !isForm, let problem { return problem.response }
    // A text response has one kind: the requested one, or BlurHash by default.
    let kinds = options.chosenKinds
    let kind = kinds.first.flatMap { kinds.count == 1 ? $0 : nil } ?? .blurHash
    let objects = records.map { options.layout.json(of: $0) }
    let (type, text) =
      wantsText
      // A failed file has an empty line, so that lines correspond to files.
      ? ("text/plain; charset=utf-8", records.flatMap { Array("\($0.text(of: kind))\n".utf8) })
      : ("application/json", (isForm ? .array(objects) : objects[0]).bytes + Array("\n".utf8))
    var response = Response(
      status: 200, fields: [("content-type", type), ("cache-control", "no-store")], body: text)
    if let problem {
      response.status = problem.status
      response.outcome = problem.code
      response.fields += problem.response.fields.filter { $0.name == "retry-after" }
    }
    return response
  }

  /// Returns the problem for an image that could not be encoded.
  private func problem(_ failure: RecordFailure) -> Problem {
    let status =
      switch failure.code {
      case .unsupportedFormat: 415
      case .corrupt, .truncated, .decoderFailed, .tooLarge: 422
      case .timeout: 504
      case .unreadable: 500
      // Memory is exhausted or a codec library is missing, so a retry may succeed.
      case .internal: 503
      }
    return Problem(status: status, code: failure.code.rawValue, detail: failure.message)
  }
}
