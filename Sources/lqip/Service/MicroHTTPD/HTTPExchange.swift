import CLqipMicroHTTPD
import LqipRecords
import LqipSystem

/// One request and its response, driven by libmicrohttpd on the connection's thread.
///
/// The library calls ``begin(_:isStrict:)`` after the head, then ``proceed(_:)`` for each piece of the body and after
/// the complete request. A response queued by the first call closes the connection without reading the body. The
/// first call therefore responds only if the body must not be read.
final class HTTPExchange {
  private enum Stage {
    case new
    /// The response is known; a short body is discarded first.
    case decided(Response)
    case accepted(RequestHandler, RequestBody)
    /// The response is queued or sent.
    case answered
  }

  /// The maximum size in bytes of an unneeded body that is discarded to keep the connection open.
  private static let discardedByteCount = 64 << 10
  /// The maximum number of query parameters, more than any route has.
  ///
  /// Each parameter uses some of libmicrohttpd's memory for the connection.
  private static let maximumParameterCount = 64
  /// The maximum time without CPU use of a worker, which has its image in memory.
  private static let stallTimeout = Duration.seconds(2)

  /// The request target as sent.
  let target: String
  let connection: HTTPConnection
  private let context: ServerContext
  private let descriptor: Int32
  private let start = MonotonicTime.now
  private var stage = Stage.new
  private var summary = RequestSummary()
  private var commonFields: [HeaderField] = []
  /// Whether the connection closes, because parsers may disagree about the end of the request.
  private var isLastRequest = false
  /// Whether the client may still be sending a body that the server does not read.
  private var hasUnreadBody = false
  /// Whether the client closed the connection, or its sending end, before its images were decoded.
  private var isAbandoned = false

  /// Creates an exchange once the request line has arrived.
  init(_ context: ServerContext, _ connection: HTTPConnection, target: String) {
    self.context = context
    self.connection = connection
    self.target = target
    descriptor = connection.descriptor
    summary.client = connection.client
    context.reaper.enter(.head, descriptor)
    context.metrics.count { $0.inFlight += 1 }
  }

  /// Whether the head has not been handled yet.
  var isNew: Bool { if case .new = stage { true } else { false } }

  /// Whether the query has too many parameters.
  ///
  /// Parsing them could exhaust libmicrohttpd's memory, so the query is hidden from the library.
  var hasTooManyParameters: Bool {
    target.utf8.count { $0 == UInt8(ascii: "&") } >= Self.maximumParameterCount
  }

  /// Handles the head, and returns whether the connection stays open.
  func begin(_ head: RequestHead, isStrict: Bool) -> Bool {
    commonFields = context.router.fields(for: head)
    if let id = head.id { summary.id = id }
    summary.method = head.method
    // Only the last address comes from the proxy; the client can forge the others.
    if context.trustsForwarded, let client = head.list("x-forwarded-for").last {
      summary.client = String(client)
    }
    do throws(Problem) {
      let body = try framing(of: head, isStrict: isStrict)
      let (acceptance, route) = context.router.admit(head)
      summary.route = route
      switch acceptance {
      case .respond(let response):
        guard case .length(...Self.discardedByteCount) = body, head[field: "expect"] == nil else {
          return refuse(response)
        }
        stage = .decided(response)
      case .handle(let handler):
        stage = .accepted(handler, try requestBody(body, upTo: handler.maximumBodyByteCount))
      }
    } catch {
      return refuse(error.response)
    }
    context.reaper.enter(.body, descriptor)
    return true
  }

  /// Handles a piece of the body, or the end of the request if the piece is empty; returns whether the connection stays
  /// open.
  func proceed(_ piece: UnsafeRawBufferPointer) -> Bool {
    let isEnd = unsafe piece.isEmpty
    switch stage {
    case .new: preconditionFailure("a request begins with its head")
    case .answered: return true
    case .decided(let response) where isEnd: return send(response)
    case .accepted(let handler, let body) where isEnd:
      context.reaper.enter(.response, descriptor)
      return send(answer(handler, body))
    case .decided, .accepted:
      summary.bytesIn += piece.count
      guard context.reaper.progress(piece.count, descriptor) else { return false }
      guard case .accepted(_, let body) = stage else { return true }
      do throws(Problem) {
        try unsafe body.append(piece)
        return true
      } catch {
        sendRaw(error)
        return false
      }
    }
  }

  /// Responds to a request that libmicrohttpd is about to reject or whose connection the reaper closed.
  ///
  /// The problem replaces libmicrohttpd's own response with `status`; 0 if the library sends none.
  func refuse(status: Int) {
    if case .answered = stage { return }
    if let problem = context.reaper.closeReason(of: descriptor)?.problem {
      sendRaw(problem)
    } else if status > 0 {
      sendRaw(Problem(refusedByLibrary: status))
    }
  }

  /// Logs and counts the request after its response was sent or its connection was lost, then discards an unread body,
  /// which may take seconds.
  func finish(isComplete: Bool) {
    if case .answered = stage {
      if !isComplete, !hasUnreadBody { summary.outcome = "aborted" }
    } else if connection.status != 0 {
      note(Problem(refusedByLibrary: connection.status))
    }
    summary.totalTime = .now - start
    context.metrics.count { $0.add(summary) }
    context.log?.write(summary)
    if hasUnreadBody { discardInput() }
    context.reaper.enter(.waiting, descriptor)
  }

  /// Determines the framing of the body, or rejects an oversized or ambiguous head.
  private func framing(
    of head: RequestHead, isStrict: Bool
  ) throws(Problem) -> RequestFraming.Body {
    let limits = context.limits
    guard !hasTooManyParameters else {
      throw .badParameter("too many parameters (maximum \(Self.maximumParameterCount))")
    }
    guard head.fields.count <= limits.fieldCount, connection.headByteCount <= limits.headByteCount
    else {
      throw Problem(
        status: 431, code: "too_large",
        detail: "the header section exceeds \(limits.fieldCount) fields or "
          + "\(limits.headByteCount) bytes")
    }
    guard isStrict else {
      throw .malformed("a header line has no name, is folded or does not end with CR LF")
    }
    return try RequestFraming.body(of: head)
  }

  /// Creates the buffer for a request body; throws if the length is missing or exceeds the maximum.
  private func requestBody(
    _ framing: RequestFraming.Body, upTo maximum: Int
  ) throws(Problem) -> RequestBody {
    var length: Int?
    switch framing {
    case .unstated:
      throw Problem(status: 411, code: "length_required", detail: "Content-Length is required")
    case .length(let count): length = count
    case .chunked: isLastRequest = true
    }
    guard length ?? 1 <= maximum else { throw RequestBody.tooLarge(maximum) }
    return RequestBody(expecting: length, maximum: maximum, budget: context.budget)
  }

  private func answer(_ handler: RequestHandler, _ body: RequestBody) -> Response {
    let queueStart = MonotonicTime.now
    func respond(_ decode: RequestHandler.Decode) -> Response {
      context.metrics.count { $0.waiting.add(.now - queueStart) }
      do throws(Problem) {
        return try handler.respond(body, decode)
      } catch {
        return error.response
      }
    }
    do throws(QueueRefusal) {
      let isHungUp = { FileDescriptor.isHungUp(self.descriptor) }
      switch handler.work {
      case .encoding:
        let response = try context.workers.queue.withResource(unless: isHungUp) { worker in
          respond { self.reply(to: $0, $1, within: $2, from: worker) }
        }
        return isAbandoned ? Problem.abandoned.response : response
      case .drawing:
        return try context.drawing.withResource(unless: isHungUp) { _ in
          respond { _, _, _ in preconditionFailure("a preview is drawn without a worker") }
        }
      }
    } catch {
      switch error {
      case .full: return Problem.busy("the queue is full").response
      case .expired: return Problem.busy("the request waited too long in the queue").response
      case .abandoned: return Problem.abandoned.response
      }
    }
  }

  /// Decodes an image in a worker and counts any failure; decoding is canceled if the client disconnects.
  private func reply(
    to task: ImageTask, _ bytes: Span<UInt8>, within time: Duration, from worker: WorkerLease
  ) -> EncodingResult {
    guard !isAbandoned else { return .failed(RecordFailure(WorkerFailure.cancelled)) }
    let deadlines = WorkerDeadlines(
      work: time, stall: min(time * 2, Self.stallTimeout), wall: time * 2)
    do throws(WorkerFailure) {
      return try worker.perform(task, bytes, within: deadlines, client: descriptor)
    } catch {
      let failure = RecordFailure(error)
      if failure.code == .decoderFailed {
        summary.decoderFailure = (error.code, SHA256Digest(of: bytes))
      }
      isAbandoned = error == .cancelled
      context.metrics.count(error)
      return .failed(failure)
    }
  }

  /// Responds without reading the body; libmicrohttpd then closes the connection.
  private func refuse(_ response: Response) -> Bool {
    isLastRequest = true
    hasUnreadBody = true
    return send(response)
  }

  private func send(_ response: Response) -> Bool {
    stage = .answered
    context.reaper.enter(.sending, descriptor)
    let hasBody = summary.method != "HEAD" && response.status != 304 && response.status != 204
    summary.status = response.status
    summary.outcome = response.outcome
    summary.decodingTime = response.decodingTime
    summary.bytesOut = hasBody ? response.body.count : 0
    var timing = "total;dur=\((MonotonicTime.now - start).milliseconds)"
    if let decoding = response.decodingTime {
      timing = "decode;dur=\(decoding.milliseconds), \(timing)"
    }
    var fields = response.fields + commonFields
    fields += [("x-request-id", summary.id), ("server-timing", timing)]
    if isLastRequest || context.reaper.isDraining { fields.append(("connection", "close")) }
    return connection.send(status: response.status, fields: fields, body: response.body)
  }

  /// Stores the outcome of a request that was not answered by `send(_:)`.
  private func note(_ problem: Problem) {
    summary.status = problem.status
    summary.outcome = problem.code
    hasUnreadBody = true
  }
}

/// Operations on the socket that bypass libmicrohttpd.
extension HTTPExchange {
  /// The maximum time between discarded bytes.
  private static let idleTimeout = Duration.seconds(2)
  /// The time limit for discarding incoming bytes.
  private static let discardTimeout = Duration.seconds(10)
  /// The maximum number of discarded bytes, more than clients send before they read a response.
  private static let maximumDiscardedByteCount = 256 << 20

  /// Responds with a problem, without libmicrohttpd.
  private func sendRaw(_ problem: Problem) {
    note(problem)
    stage = .answered
    context.reaper.enter(.sending, descriptor)
    summary.bytesOut = problem.response.body.count
    problem.send(to: descriptor, commonFields + [("x-request-id", summary.id)])
  }

  /// Closes the sending side of the socket and discards incoming bytes, up to the limits.
  ///
  /// Closing a socket with unread bytes would reset the connection, and the client could lose the response.
  private func discardInput() {
    shutdown(descriptor, Int32(SHUT_WR))
    let end = MonotonicTime.now + Self.discardTimeout
    var remaining = Self.maximumDiscardedByteCount
    while remaining > 0 {
      let time = Int32(min(end - .now, Self.idleTimeout).milliseconds)
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard time > 0, unsafe poll(&request, 1, time) > 0 else { return }
      let count = unsafe withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) {
        unsafe recv(descriptor, $0.baseAddress, $0.count, lqip_do_not_wait)
      }
      guard count > 0 else { return }
      remaining -= count
    }
  }
}

extension Problem {
  /// Writes the problem without blocking, and closes the sending side of the socket.
  ///
  /// Bytes that do not fit into the send buffer are lost.
  func send(to descriptor: Int32, _ commonFields: [HeaderField] = []) {
    let response = response
    let fields: [HeaderField] =
      [("connection", "close")] + response.fields + commonFields
      + [("content-length", "\(response.body.count)")]
    let lines = ["HTTP/1.1 \(status) \(title)"] + fields.map { "\($0): \($1)" }
    let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + response.body
    _ = unsafe bytes.withUnsafeBytes {
      unsafe sendto(descriptor, $0.baseAddress, $0.count, lqip_do_not_wait | lqip_no_signal, nil, 0)
    }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// The problem of a request whose client does not wait for the response.
  fileprivate static var abandoned: Problem {
    Problem(
      status: 499, code: "aborted",
      detail: "the connection, or its sending side, was closed before the response")
  }

  /// The reason phrase of the status (`MHD_get_reason_phrase_for`).
  var title: String {
    let phrase = unsafe lqip_mhd()?.pointee.MHD_get_reason_phrase_for(UInt32(status))
    return unsafe phrase.map { unsafe String(cString: $0) } ?? "Error"
  }

  /// Creates the problem for a request that libmicrohttpd itself rejects.
  init(refusedByLibrary status: Int) {
    let details = [
      413: "the body is too large", 414: "the request target is too long",
      431: "the header or trailer section is too large",
    ]
    if let detail = details[status] {
      self.init(status: status, code: "too_large", detail: detail)
    } else {
      // libmicrohttpd reports an overlong chunk header as a server error.
      self = .malformed("malformed request")
    }
  }
}
