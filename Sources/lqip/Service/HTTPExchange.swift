/// One request and its response, as the library drives them on the connection's own thread.
///
/// The library calls once when the head is there, then for each piece of the body, then once more
/// when the request is whole. A response given to the first call closes the connection, unread
/// body and all; so only what must be refused unread is answered then.
final class HTTPExchange {
  private enum Stage {
    case new
    /// The answer is known, and there is no body to be spared.
    case decided(Response)
    case accepted(RequestHead, RequestCollector, decodes: Bool)
    case answered
  }

  private let context: ServerContext
  private let descriptor: Int32
  private let target: String
  private let start = ContinuousClock.now
  private var stage = Stage.new
  private var summary = RequestSummary()
  /// The header fields of the response whatever it is.
  private var commonFields: [(name: String, value: String)] = []
  /// Whether no request may follow, as where this one ends is in doubt.
  private var isLast = false
  /// Whether there may be more to come that nobody is going to read.
  private var isCutShort = false

  /// Begins with the first line of the request.
  init(_ context: ServerContext, connection: borrowing HTTPConnection, target: String) {
    self.context = context
    self.target = target
    descriptor = connection.descriptor
    context.reaper.enter(.head, descriptor)
    for observer in context.observers { observer.requestStarted() }
  }

  /// Goes on with a piece of the body, or without one at its start and at its end.
  ///
  /// - Returns: Whether the connection lives on.
  func proceed(
    connection: borrowing HTTPConnection, path: String, method: String, version: String,
    piece: UnsafeRawBufferPointer
  ) -> Bool {
    switch stage {
    case .new:
      return begin(connection, path: path, method: method, version: version)
    case .decided(let response):
      return send(response, on: connection)
    case .accepted(let head, let collector, let decodes):
      guard unsafe piece.isEmpty else {
        defer { summary.bytesIn = collector.byteCount }
        return unsafe collector.take(piece)
      }
      context.reaper.enter(.answer, descriptor)
      return send(answer(head, collector, decodes: decodes, on: connection), on: connection)
    case .answered:
      return true
    }
  }

  /// Ends with the response sent, or with the connection lost.
  func finish(connection: borrowing HTTPConnection, isComplete: Bool) {
    switch stage {
    case .answered where isComplete: break
    case .answered: summary.outcome = "aborted"
    default:
      if let cut = context.reaper.cut(of: descriptor), cut == .slowHead || cut == .slowBody {
        summary.status = 408
        summary.outcome = "slow_client"
      } else if let status = connection.status {
        // The library itself has refused what it could not read.
        summary.status = status
        summary.outcome = "bad_request"
        isCutShort = true
      }
    }
    summary.totalTime = .now - start
    for observer in context.observers { observer.requestFinished(summary) }
    if isCutShort, !context.isEncrypted { SocketDrain.drain(descriptor, context.limits) }
    context.reaper.enter(.waiting, descriptor)
  }

  private func begin(
    _ connection: borrowing HTTPConnection, path: String, method: String, version: String
  ) -> Bool {
    let fields = connection.fields.map { (name: $0.lowercased(), value: $1) }
    let head = RequestHead(
      method: method, path: path, query: connection.query,
      fields: fields,
      id: RequestIdentifier.identifier(given: fields.first { $0.0 == "x-request-id" }?.1))
    commonFields = context.responder.fields(for: head)
    summary.id = head.id
    summary.method = method
    let limits = context.limits
    let body: RequestVetting.Body
    do throws(Problem) {
      guard fields.count <= limits.fieldCount,
        connection.headByteCount <= limits.headByteCount
      else {
        throw Problem(
          status: 431, code: "too_large",
          detail: "the head has more than \(limits.fieldCount) fields or "
            + "\(limits.headByteCount) bytes")
      }
      body = try RequestVetting.body(
        method: method, target: target, version: version, fields: fields)
    } catch {
      return refuse(error.response, on: connection)
    }
    switch context.responder.admit(head) {
    case .refuse(let response, let route):
      summary.route = route
      guard body == .none || body == .length(0) else { return refuse(response, on: connection) }
      stage = .decided(response)
    case .accept(let route, let maximum, let decodes):
      summary.route = route
      var length: Int?
      switch body {
      case .none: break
      case .length(let count):
        guard count <= maximum else {
          return refuse(RequestCollector.tooLarge(maximum).response, on: connection)
        }
        length = count
      case .chunked:
        guard maximum > 0 else {
          return refuse(RequestCollector.tooLarge(maximum).response, on: connection)
        }
        isLast = true
      }
      let collector = RequestCollector(
        expecting: length, maximum: maximum, budget: context.budget)
      stage = .accepted(head, collector, decodes: decodes)
      context.reaper.enter(.body, descriptor)
    }
    return true
  }

  private func answer(
    _ head: RequestHead, _ collector: RequestCollector, decodes: Bool,
    on connection: borrowing HTTPConnection
  ) -> Response {
    if let refusal = collector.refusal { return refusal.response }
    let body: Request.Body
    if MultipartForm.isForm(head[field: "content-type"]) {
      do throws(Problem) {
        body = .files(
          try MultipartForm.files(
            in: collector.bytes, of: connection, maximumFileCount: context.limits.formFileCount))
      } catch {
        return error.response
      }
    } else {
      body = .bytes(collector.bytes)
    }
    let request = Request(head: head, body: body)
    guard decodes else { return context.responder.respond(to: request) }
    switch context.pool.perform({ [context] in context.responder.respond(to: request) }) {
    case .done(let response):
      return response
    case .full:
      return busy("the queue for decoding is full")
    case .expired:
      return busy("there was no time to decode before the deadline")
    }
  }

  private func busy(_ detail: String) -> Response {
    Problem(status: 503, code: "busy", detail: detail, retryAfter: 1).response
  }

  /// Answers without reading the body, after which the connection has to be closed.
  private func refuse(_ response: Response, on connection: borrowing HTTPConnection) -> Bool {
    isLast = true
    isCutShort = true
    context.reaper.enter(.answer, descriptor)
    return send(response, on: connection)
  }

  /// Hands a response to the library.
  private func send(_ response: Response, on connection: borrowing HTTPConnection) -> Bool {
    stage = .answered
    let hasBody = summary.method != "HEAD" && response.status != 304 && response.status != 204
    summary.status = response.status
    summary.outcome = response.outcome
    summary.decodingTime = response.decodingTime
    summary.bytesOut = hasBody ? response.body.count : 0
    var timing = "total;dur=\((ContinuousClock.now - start).milliseconds)"
    if let decoding = response.decodingTime {
      timing = "decode;dur=\(decoding.milliseconds), \(timing)"
    }
    var fields = response.fields + commonFields
    fields += [("x-request-id", summary.id), ("server-timing", timing)]
    if isLast || context.reaper.isDraining { fields.append(("connection", "close")) }
    return connection.send(status: response.status, fields: fields, body: response.body)
  }
}
