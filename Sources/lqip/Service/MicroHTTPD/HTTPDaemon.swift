import CLqipMicroHTTPD
import LqipSystem

/// A running libmicrohttpd daemon that calls ``HTTPExchange``.
///
/// The owner must call `stop()` before it releases the daemon, because callbacks do not retain the context.
@safe final class HTTPDaemon: @unchecked Sendable {
  /// The memory of a connection in bytes: the request head, a copy of its cookies and the response head.
  private static let connectionByteCount = 64 << 10
  /// The stack size of a connection's thread in bytes; a debug build needed less than 96 KB.
  private static let threadStackByteCount = 512 << 10

  static var isAvailable: Bool { unsafe lqip_mhd() != nil }

  private let pointer: OpaquePointer
  /// The context that callbacks use, without retaining it, until the daemon stops.
  private let context: ServerContext

  init(_ context: ServerContext) throws(SystemError) {
    self.context = context
    let daemon = unsafe lqip_mhd_start(
      Self.connectionByteCount, Self.threadStackByteCount, Self.callbacks(context))
    guard let daemon = unsafe daemon else { throw .last }
    unsafe self.pointer = daemon
  }

  /// Starts a thread for an accepted connection; returns false if the connection was closed instead.
  func start(_ descriptor: Int32) -> Bool {
    unsafe SocketAddress(getpeername, descriptor).withPointer {
      unsafe lqip_mhd()?.pointee.MHD_add_connection(pointer, descriptor, $0, $1) == .YES
    }
  }

  /// Closes all connections and waits for their threads; the daemon cannot be used afterwards.
  func stop() { unsafe lqip_mhd()?.pointee.MHD_stop_daemon(pointer) }

  private static func callbacks(_ context: ServerContext) -> lqip_mhd_callbacks {
    unsafe lqip_mhd_callbacks(
      context: Unmanaged.passUnretained(context).toOpaque(),
      connection: { context, connection, _, event in
        let context = unsafe context.object(ServerContext.self)
        let open = unsafe HTTPConnection(connection)
        if event == .CONNECTION_NOTIFY_STARTED {
          context.reaper.begin(open.descriptor)
        } else if lqip_mhd_take_lack_of_thread() {
          context.reaper.remove(open.descriptor)
          Problem.busy("no thread is available").send(to: open.descriptor)
          context.log?.write(RequestSummary(client: open.client, outcome: "no_thread"))
          context.metrics.count { $0.closedConnections[.noThread, default: 0] += 1 }
        } else if context.reaper.remove(open.descriptor), !open.isClosedByClient {
          // libmicrohttpd closes a connection that begins without a valid request line, such as TLS.
          context.log?.write(RequestSummary(client: open.client, outcome: "malformed"))
          context.metrics.count { $0.closedConnections[.malformed, default: 0] += 1 }
        }
      },
      begin: { context, target, connection in
        let exchange = unsafe HTTPExchange(
          context.object(ServerContext.self), HTTPConnection(connection),
          target: target.map { unsafe String(cString: $0) } ?? "")
        if exchange.hasTooManyParameters { unsafe lqip_mhd_drop_query(target) }
        let request = unsafe Unmanaged.passRetained(exchange).toOpaque()
        unsafe lqip_mhd_enter(request)
        return unsafe request
      },
      handle: { _, _, path, method, version, piece, count, request in
        guard let request = unsafe request.pointee else { return .NO }
        let exchange = unsafe request.object(HTTPExchange.self)
        let connection = exchange.connection
        let bytes = unsafe UnsafeRawBufferPointer(
          start: piece, count: piece == nil ? 0 : count.pointee)
        unsafe count.pointee = 0
        guard exchange.isNew else { return unsafe exchange.proceed(bytes) ? .YES : .NO }
        let head = unsafe RequestHead(
          method: String(cString: method), path: String(cString: path),
          query: connection.values(.GET_ARGUMENT_KIND),
          fields: connection.values(.HEADER_KIND).map { ($0.lowercased(), $1) },
          target: exchange.target, version: String(cString: version))
        let isStrict = unsafe connection.isHeadStrict(
          method, path, exchange.target.utf8.count, version)
        return exchange.begin(head, isStrict: isStrict) ? .YES : .NO
      },
      refuse: { request, status in
        unsafe request.object(HTTPExchange.self).refuse(status: Int(status))
      },
      finish: { _, _, request, reason in
        guard let exchange = unsafe request.pointee else { return }
        unsafe request.pointee = nil
        lqip_mhd_enter(nil)
        unsafe Unmanaged<HTTPExchange>.fromOpaque(exchange).takeRetainedValue().finish(
          isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK)
      })
  }
}

extension UnsafeMutableRawPointer {
  /// Returns the object that this context pointer of a callback refers to, without releasing it.
  fileprivate func object<Object: AnyObject>(_ type: Object.Type) -> Object {
    unsafe Unmanaged<Object>.fromOpaque(self).takeUnretainedValue()
  }
}
