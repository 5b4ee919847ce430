import LqipSystem
import LqipRecords

/// One request and its response, as the library drives them on the connection's own thread.
///
/// The library calls once when the head is there, then for each piece of the body, then once more
/// when the request is whole. A response given to the first call closes the connection, unread
/// body and all; so only what must be refused unread is answered then.
final class HTTPExchange {
  private enum Stage {
    case new
    /// The answer is known; a short body is thrown away first.
    case decided(Response)
    case accepted(RequestHandler, RequestCollector)
    case answered
  }

  /// The longest body that is read though nobody wants it, as the connection lives on then.
  private static let unwantedByteCount = 64 << 10
  /// More parameters than any route has; each takes memory of the library's.
  private static let maximumParameterCount = 64

  private let context: ServerContext
  private let descriptor: Int32
  private let target: String
  private let start = ContinuousClock.now
  private var stage = Stage.new
  private var summary = RequestSummary()
  /// The header fields that every response has.
  private var commonFields: [HeaderField] = []
  /// Whether no request may follow, because it is in doubt where this one ends.
  private var isLast = false
  /// Whether the client may go on sending a body that is not read.
  private var isCutShort = false

  /// Begins with the first line of the request.
  init(_ context: ServerContext, connection: borrowing HTTPConnection, target: String) {
    self.context = context
    self.target = target
    descriptor = connection.descriptor
    context.reaper.enter(.head, descriptor)
    context.report(.requestStarted)
  }

  /// Whether to hide the query from the library, which may not have the memory for it.
  var hasTooManyParameters: Bool {
    target.utf8.count { $0 == UInt8(ascii: "&") } >= Self.maximumParameterCount
  }

  /// Goes on with a piece of the body, or without one at its start and at its end.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - piece: The next bytes of the body.
  ///   - line: Gives what the library has read of a head, by the target as it was sent.
  /// - Returns: Whether the connection lives on.
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

  /// Refuses the request in place of the library, which is about to do so in its own words.
  func refuse(status: Int) {
    guard case .answered = stage else {
      return sendRaw(Problem(refusedByLibrary: status))
    }
  }

  /// Ends with the response sent, or with the connection lost.
  func finish(connection: borrowing HTTPConnection, isComplete: Bool) {
    switch stage {
    case .answered where isComplete || isCutShort: break
    case .answered: summary.outcome = "aborted"
    default:
      if let problem = context.reaper.cut(of: descriptor)?.problem {
        summary.status = problem.status
        summary.outcome = problem.code
      } else if let status = connection.status {
        // The library itself has refused what it could not read.
        let problem = Problem(refusedByLibrary: status)
        summary.status = problem.status
        summary.outcome = problem.code
        isCutShort = true
      }
    }
    summary.totalTime = .now - start
    context.report(.requestFinished(summary))
    if isCutShort { RawSocket.drain(descriptor) }
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
    // Only the last one is from the proxy in front; a client can make up the others.
    let forwarded = context.trustsForwarded ? head.list("x-forwarded-for").last : nil
    summary.client = forwarded.map(String.init) ?? connection.client
    let body: RequestFraming.Body
    do throws(Problem) {
      body = try vet(line, fields, headByteCount: connection.headByteCount)
    } catch {
      return refuse(error.response, on: connection)
    }
    let (acceptance, route) = context.responder.admit(head)
    summary.route = route
    switch acceptance {
    case .answer(let response):
      guard case .length(...Self.unwantedByteCount) = body, head[field: "expect"] == nil else {
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

  /// Prepares for the body of a request that was accepted.
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
      isLast = true
    }
    return RequestCollector(
      expecting: length, maximum: maximum, budget: context.budget
    ) { [reaper = context.reaper, descriptor] isWaiting in
      isWaiting ? reaper.pause(descriptor) : reaper.resume(descriptor)
    }
  }

  /// Refuses what is too much or doubtful, by the head alone.
  private func vet(
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

  /// Has a worker decode an image, for as long as the client waits.
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

  /// Answers without reading the body, upon which the library closes the connection.
  private func refuse(_ response: Response, on connection: borrowing HTTPConnection) -> Bool {
    isLast = true
    isCutShort = true
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
    if isLast || context.reaper.isDraining { fields.append(("connection", "close")) }
    return connection.send(status: response.status, fields: fields, body: response.body)
  }

  /// Writes a response to the socket in place of the library's own, and ends the connection.
  private func sendRaw(_ problem: Problem) {
    if summary.id.isEmpty { summary.id = RequestIdentifier.identifier(given: nil) }
    summary.status = problem.status
    summary.outcome = problem.code
    summary.bytesOut = problem.response.body.count
    stage = .answered
    isLast = true
    isCutShort = true
    context.reaper.enter(.sending, descriptor)
    RawSocket.send(
      problem, fields: commonFields + [("x-request-id", summary.id)], to: descriptor)
    RawSocket.endSending(descriptor)
  }
}

extension Problem {
  /// What the library refuses by itself, as this server would have said it.
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
      // It calls it an error of its own where the line before a chunk is too long for its memory.
      self = .malformed("malformed request")
    }
  }
}
