import CLqipMicroHTTPD
import LqipSystem

/// A running libmicrohttpd daemon that calls ``HTTPExchange``.
@safe final class HTTPDaemon: @unchecked Sendable {
  /// The memory of a connection in bytes: the request head, a copy of its cookies and the response
  /// head.
  private static let connectionByteCount = 64 << 10
  /// The stack size of a connection's thread in bytes; a debug build needed less than 96 KB.
  private static let threadStackByteCount = 512 << 10

  private let pointer: OpaquePointer
  /// The context that callbacks use without retaining it, until the daemon has stopped.
  private let context: ServerContext
  /// The daemon's duplicate of the socket's descriptor.
  ///
  /// libmicrohttpd closes its descriptor if a thread fails to start.
  private let listening: Int32

  /// Starts to accept connections; the corresponding C function is `MHD_start_daemon`.
  init(_ context: ServerContext, _ socket: ListenSocket) throws(ServerError) {
    guard unsafe lqip_mhd() != nil else { throw .libraryUnavailable }
    self.context = context
    let limits = context.limits
    listening = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
    guard listening >= 0 else { throw .starting(.last) }
    let options = lqip_mhd_options(
      listening: listening,
      // libmicrohttpd counts a closed connection until its thread has ended.
      connection_limit: UInt32(clamping: limits.connectionCount + limits.spareConnectionCount),
      connection_memory: Self.connectionByteCount, thread_stack_size: Self.threadStackByteCount)
    let callbacks = unsafe Self.callbacks(context)
    guard let pointer = unsafe lqip_mhd_start(options, callbacks) else {
      throw .starting(.last)
    }
    unsafe self.pointer = pointer
  }

  /// Leaves new connections in the backlog; the corresponding C function is `MHD_quiesce_daemon`.
  func stopAccepting() {
    _ = unsafe lqip_mhd()?.pointee.MHD_quiesce_daemon(pointer)
  }

  /// Closes all connections and waits for their threads.
  ///
  /// The daemon cannot be used afterwards.
  func stop() {
    // libmicrohttpd closes the descriptor only if the daemon still accepts connections.
    stopAccepting()
    unsafe lqip_mhd()?.pointee.MHD_stop_daemon(pointer)
    close(listening)
  }

  private static func callbacks(_ context: ServerContext) -> lqip_mhd_callbacks {
    unsafe lqip_mhd_callbacks(
      context: Unmanaged.passUnretained(context).toOpaque(),
      connection: { context, connection, _, event in
        guard let context = unsafe context, let connection = unsafe connection else { return }
        let shared = unsafe Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
        let open = unsafe HTTPConnection(connection)
        if event == .CONNECTION_NOTIFY_STARTED {
          shared.reaper.add(open.descriptor)
          shared.report(.connectionOpened)
        } else {
          // libmicrohttpd closes a connection before any request if the client sent something else.
          if shared.reaper.remove(open.descriptor), !open.isClosedByClient {
            shared.report(.connectionCut(.malformed))
            shared.report(.connectionUnreadable(client: open.client))
          }
          shared.report(.connectionClosed)
        }
      },
      begin: { context, target, connection in
        guard let context = unsafe context, let connection = unsafe connection else {
          preconditionFailure("a request has a connection and a server")
        }
        let exchange = unsafe HTTPExchange(
          Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue(),
          connection: HTTPConnection(connection), target: String(copying: target))
        if exchange.hasTooManyParameters { unsafe lqip_mhd_drop_query(target) }
        let opaque = unsafe Unmanaged.passRetained(exchange).toOpaque()
        unsafe lqip_mhd_enter(opaque)
        return unsafe opaque
      },
      handle: { _, connection, path, method, version, piece, count, exchange in
        guard let connection = unsafe connection, let count = unsafe count,
          let exchange = unsafe exchange?.pointee
        else { return .NO }
        let bytes = unsafe UnsafeRawBufferPointer(
          start: piece, count: piece == nil ? 0 : count.pointee)
        unsafe count.pointee = 0
        let open = unsafe HTTPConnection(connection)
        return unsafe Unmanaged<HTTPExchange>.fromOpaque(exchange).takeUnretainedValue().proceed(
          connection: open, piece: bytes
        ) { target in
          unsafe RequestLine(
            method: String(copying: method), path: String(copying: path),
            version: String(copying: version),
            isHeadStrict: open.isHeadStrict(method, path, target.utf8.count, version))
        } ? .YES : .NO
      },
      refuse: { exchange, status in
        guard let exchange = unsafe exchange else { return }
        unsafe Unmanaged<HTTPExchange>.fromOpaque(exchange).takeUnretainedValue().refuse(
          status: Int(status))
      },
      finish: { _, connection, exchange, reason in
        guard let connection = unsafe connection, let opaque = unsafe exchange?.pointee else {
          return
        }
        unsafe exchange?.pointee = nil
        lqip_mhd_enter(nil)
        unsafe Unmanaged<HTTPExchange>.fromOpaque(opaque).takeRetainedValue().finish(
          connection: HTTPConnection(connection),
          isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK)
      })
  }
}

extension HTTPConnection {
  /// Returns whether the head conforms strictly to RFC 9112.
  ///
  /// The result is always true if this version of libmicrohttpd checks the head itself.
  fileprivate func isHeadStrict(
    _ method: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?, _ targetByteCount: Int,
    _ version: UnsafePointer<CChar>?
  ) -> Bool {
    guard !lqip_mhd_is_strict(), let method = unsafe method, let path = unsafe path,
      let version = unsafe version
    else { return true }
    let head = unsafe UnsafeRawBufferPointer(start: method, count: headByteCount)
    let target = unsafe path - method
    return unsafe ParsedHead.isStrict(
      head.bindMemory(to: UInt8.self).span, targetRange: target..<(target + targetByteCount),
      versionOffset: version - method)
  }
}

extension String {
  /// Copies a C string; a null pointer becomes an empty string.
  fileprivate init(copying string: UnsafePointer<CChar>?) {
    self = unsafe string.map { unsafe String(cString: $0) } ?? ""
  }
}
