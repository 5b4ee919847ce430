import LqipSystem
import LqipRecords

/// One request and its response, driven by libmicrohttpd on the connection's thread.
///
/// The library calls ``proceed(connection:piece:line:)`` once after the head, once for each piece
/// of the body, and once after the complete request. A response to the first call closes the
/// connection without reading the body, so the first call responds only if the body must not be
/// read.
final class HTTPExchange {
  private enum Stage {
    case new
    /// The response is known; a short body is discarded first.
    case decided(Response)
    case accepted(RequestHandler, RequestCollector)
    case answered
  }

  /// The maximum size in bytes of an unneeded body that is discarded to keep the connection open.
  private static let discardedByteCount = 64 << 10
  /// The maximum number of query parameters, more than any route has.
  ///
  /// Each parameter takes memory of libmicrohttpd.
  private static let maximumParameterCount = 64

  private let context: ServerContext
  private let descriptor: Int32
  private let target: String
  private let start = ContinuousClock.now
  private var stage = Stage.new
  private var summary = RequestSummary()
  /// The header fields common to all responses.
  private var commonFields: [HeaderField] = []
  /// Whether to close the connection after this request, because its end may be ambiguous.
  private var isLastRequest = false
  /// Whether the client may still be sending a body that the server does not read.
  private var hasUnreadBody = false

  /// Creates an exchange once the request line has arrived.
  init(_ context: ServerContext, connection: borrowing HTTPConnection, target: String) {
    self.context = context
    self.target = target
    descriptor = connection.descriptor
    context.reaper.enter(.head, descriptor)
    context.report(.requestStarted)
  }

  /// Whether the query has too many parameters.
  ///
  /// libmicrohttpd may not have enough memory to parse such a query, so it is hidden from the
  /// library.
  var hasTooManyParameters: Bool {
    target.utf8.count { $0 == UInt8(ascii: "&") } >= Self.maximumParameterCount
  }

  /// Handles one call of the library: after the head, for a piece of the body, or at the end.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - piece: The next bytes of the body; empty in the first and the last call.
  ///   - line: Returns the parsed request line for a target as sent.
  /// - Returns: Whether the connection stays open.
  func proceed(
    connection: borrowing HTTPConnection, piece: UnsafeRawBufferPointer,
    line: (_ target: String) -> RequestLine
  ) -> Bool {
    switch stage {
    case .new:
      return begin(connection, line(target))
    case .decided(let response):
      guard unsafe piece.isEmpty else {
        context.reaper.progress(piece.count, descriptor)
        summary.bytesIn += piece.count
        return true
      }
      return send(response, on: connection)
    case .accepted(let handler, let collector):
      guard unsafe piece.isEmpty else {
        context.reaper.progress(piece.count, descriptor)
        defer { summary.bytesIn = collector.byteCount }
        guard unsafe !collector.take(piece) else { return true }
        if let refusal = collector.refusal { sendRaw(refusal) }
        return false
      }
      context.reaper.enter(.answer, descriptor)
      return send(answer(handler, collector), on: connection)
    case .answered:
      return true
    }
  }

  /// Rejects the request with a problem document, before libmicrohttpd sends its own HTML page.
  func refuse(status: Int) {
    guard case .answered = stage else {
      return sendRaw(Problem(refusedByLibrary: status))
    }
  }

  /// Reports the end of the exchange, after the response or a lost connection.
  func finish(connection: borrowing HTTPConnection, isComplete: Bool) {
    switch stage {
    case .answered where isComplete || hasUnreadBody: break
    case .answered: summary.outcome = "aborted"
    default:
      if let problem = context.reaper.cut(of: descriptor)?.problem {
        summary.status = problem.status
        summary.outcome = problem.code
      } else if let status = connection.status {
        // libmicrohttpd rejected a request that it could not parse.
        let problem = Problem(refusedByLibrary: status)
        summary.status = problem.status
        summary.outcome = problem.code
        hasUnreadBody = true
      }
    }
    summary.totalTime = .now - start
    context.report(.requestFinished(summary))
    if hasUnreadBody { RawSocket.drain(descriptor) }
    context.reaper.enter(.waiting, descriptor)
  }

  private func begin(_ connection: borrowing HTTPConnection, _ line: RequestLine) -> Bool {
    let fields = connection.fields.map { (name: $0.lowercased(), value: $1) }
    let head = RequestHead(
      method: line.method, path: line.path, query: connection.query,
      fields: fields,
      id: RequestIdentifier.identifier(given: fields.first { $0.0 == "x-request-id" }?.1))
    commonFields = context.responder.fields(for: head)
    summary.id = head.id
    summary.method = line.method
    summary.trace = head[field: "traceparent"]
    // Only the last address comes from the proxy; the client can forge the others.
    let forwarded = context.trustsForwarded ? head.list("x-forwarded-for").last : nil
    summary.client = forwarded.map(String.init) ?? connection.client
    let body: RequestFraming.Body
    do throws(Problem) {
      body = try validate(line, fields, headByteCount: connection.headByteCount)
    } catch {
      return refuse(error.response, on: connection)
    }
    let (acceptance, route) = context.responder.admit(head)
    summary.route = route
    switch acceptance {
    case .answer(let response):
      guard case .length(...Self.discardedByteCount) = body, head[field: "expect"] == nil else {
        return refuse(response, on: connection)
      }
      stage = .decided(response)
    case .handle(let handler):
      do throws(Problem) {
        stage = .accepted(handler, try collector(of: body, upTo: handler.maximumBodyByteCount))
      } catch {
        return refuse(error.response, on: connection)
      }
    }
    context.reaper.enter(.body, descriptor)
    return true
  }

  /// Creates a collector for the body of an accepted request.
  private func collector(
    of body: RequestFraming.Body, upTo maximum: Int
  ) throws(Problem) -> RequestCollector {
    var length: Int?
    switch body {
    case .unstated: throw RequestFraming.lengthRequired
    case .length(let count):
      guard count <= maximum else { throw RequestCollector.tooLarge(maximum) }
      length = count
    case .chunked:
      guard maximum > 0 else { throw RequestCollector.tooLarge(maximum) }
      isLastRequest = true
    }
    return RequestCollector(
      expecting: length, maximum: maximum, budget: context.budget
    ) { [reaper = context.reaper, descriptor] isWaiting in
      isWaiting ? reaper.pause(descriptor) : reaper.resume(descriptor)
    }
  }

  /// Rejects an oversized or ambiguous head.
  private func validate(
    _ line: RequestLine, _ fields: [HeaderField], headByteCount: Int
  ) throws(Problem) -> RequestFraming.Body {
    let limits = context.limits
    guard !hasTooManyParameters else {
      throw .badParameter("too many parameters (maximum \(Self.maximumParameterCount))")
    }
    guard fields.count <= limits.fieldCount, headByteCount <= limits.headByteCount else {
      throw Problem(
        status: 431, code: "too_large",
        detail: "the header section exceeds \(limits.fieldCount) fields or "
          + "\(limits.headByteCount) bytes")
    }
    guard line.isHeadStrict else {
      throw .malformed("a header line has no name, is folded or does not end with CR LF")
    }
    return try RequestFraming.body(
      method: line.method, target: target, version: line.version, fields: fields)
  }

  private func answer(_ handler: RequestHandler, _ collector: RequestCollector) -> Response {
    if let refusal = collector.refusal { return refusal.response }
    let pool = handler.work == .encoding ? context.workers : context.drawing
    do throws(WorkerPool.Refusal) {
      return try pool.withWorker { worker in
        do throws(Problem) {
          return try handler.respond(collector.bytes) { task, bytes, time in
            self.reply(to: task, bytes, within: time, from: worker)
          }
        } catch {
          return error.response
        }
      }
    } catch {
      switch error {
      case .full: return Problem.busy("the queue is full").response
      case .expired: return Problem.busy("the request waited too long in the queue").response
      }
    }
  }

  /// Decodes an image in a worker, for as long as the client waits.
  private func reply(
    to task: ImageTask, _ bytes: Span<UInt8>, within time: Duration, from worker: WorkerLease
  ) -> ImageReply {
    let deadlines = WorkerDeadlines(work: time, stall: time * 2, wall: time * 2)
    do throws(WorkerFailure) {
      return try worker.perform(task, bytes, within: deadlines, client: descriptor)
    } catch {
      let failure = RecordFailure(error)
      if failure.code == .decoderFailed {
        summary.decoderFailure = (error.code, SHA256Digest(of: bytes))
      }
      context.report(.decoderFailed(error.code))
      return .failed(failure, nil)
    }
  }

  /// Responds without reading the body; libmicrohttpd then closes the connection.
  private func refuse(_ response: Response, on connection: borrowing HTTPConnection) -> Bool {
    isLastRequest = true
    hasUnreadBody = true
    return send(response, on: connection)
  }

  private func send(_ response: Response, on connection: borrowing HTTPConnection) -> Bool {
    stage = .answered
    context.reaper.enter(.sending, descriptor)
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
    if isLastRequest || context.reaper.isDraining { fields.append(("connection", "close")) }
    return connection.send(status: response.status, fields: fields, body: response.body)
  }

  /// Writes a response directly to the socket and closes the connection.
  private func sendRaw(_ problem: Problem) {
    if summary.id.isEmpty { summary.id = RequestIdentifier.identifier(given: nil) }
    summary.status = problem.status
    summary.outcome = problem.code
    summary.bytesOut = problem.response.body.count
    stage = .answered
    isLastRequest = true
    hasUnreadBody = true
    context.reaper.enter(.sending, descriptor)
    RawSocket.send(
      problem, fields: commonFields + [("x-request-id", summary.id)], to: descriptor)
    RawSocket.endSending(descriptor)
  }
}

extension Problem {
  /// Creates the problem for a request that libmicrohttpd rejects itself.
  init(refusedByLibrary status: Int) {
    switch status {
    case 413:
      self.init(status: status, code: "too_large", detail: "the body is too large")
    case 414:
      self.init(status: status, code: "too_large", detail: "the request target is too long")
    case 431:
      self.init(
        status: status, code: "too_large", detail: "the header or trailer section is too large")
    default:
      // libmicrohttpd reports an overlong chunk header as a server error.
      self = .malformed("malformed request")
    }
  }
}
