internal import CLqipMicroHTTPD
internal import LqipFiles

/// A running libmicrohttpd, which calls into the exchanges.
@safe struct HTTPDaemon: ~Copyable {
  /// Holds the head of a request, and a response's too.
  private static let connectionByteCount = 32 << 10
  /// The library counts connections that were cut until their threads have ended.
  private static let spareConnectionCount = 128
  /// Decoding was seen to need less than 96 KB, without optimization.
  private static let threadStackByteCount = 512 << 10

  private let pointer: OpaquePointer

  /// Starts to accept connections; the corresponding C function is `MHD_start_daemon`.
  init(
    _ context: ServerContext, _ socket: ListenSocket, _ identity: TLSIdentity?
  ) throws(ServerError) {
    let limits = context.limits
    let options = lqip_mhd_options(
      listening: socket.descriptor,
      connection_limit: UInt32(limits.connectionCount + Self.spareConnectionCount),
      connection_limit_per_address: UInt32(
        socket.isPrivate ? 0 : limits.connectionCountPerAddress),
      connection_memory: Self.connectionByteCount, thread_stack_size: Self.threadStackByteCount)
    let callbacks = unsafe Self.callbacks(context)
    guard let identity else {
      guard let pointer = unsafe lqip_mhd_start(options, nil, nil, callbacks) else {
        throw .starting(.last)
      }
      unsafe self.pointer = pointer
      return
    }
    // As strings of C, which end with a zero byte.
    let certificate = identity.certificate + [0]
    let key = identity.key + [0]
    let pointer = unsafe certificate.withUnsafeBytes { certificate in
      unsafe key.withUnsafeBytes { key in
        unsafe lqip_mhd_start(
          options, certificate.baseAddress?.assumingMemoryBound(to: CChar.self),
          key.baseAddress?.assumingMemoryBound(to: CChar.self), callbacks)
      }
    }
    guard let pointer = unsafe pointer else { throw .certificate }
    unsafe self.pointer = pointer
  }

  /// Leaves new connections alone; the corresponding C function is `MHD_quiesce_daemon`.
  func stopAccepting() {
    unsafe MHD_quiesce_daemon(pointer)
  }

  /// Cuts all connections and waits for their threads; nothing is to be done with it after that.
  consuming func stop() {
    unsafe MHD_stop_daemon(pointer)
  }

  private static func callbacks(_ context: ServerContext) -> lqip_mhd_callbacks {
    unsafe lqip_mhd_callbacks(
      context: Unmanaged.passUnretained(context).toOpaque(),
      connection: { context, connection, _, event in
        guard let context = unsafe context, let connection = unsafe connection else { return }
        let shared = unsafe Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
        let descriptor = unsafe HTTPConnection(connection).descriptor
        if event == .CONNECTION_NOTIFY_STARTED {
          shared.reaper.add(descriptor)
          for observer in shared.observers { observer.connectionOpened() }
        } else {
          shared.reaper.remove(descriptor)
          for observer in shared.observers { observer.connectionClosed() }
        }
      },
      begin: { context, target, connection in
        guard let context = unsafe context, let connection = unsafe connection else {
          preconditionFailure("a request has a connection and a server")
        }
        let exchange = unsafe HTTPExchange(
          Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue(),
          connection: HTTPConnection(connection), target: String(copying: target))
        return unsafe Unmanaged.passRetained(exchange).toOpaque()
      },
      handle: { _, connection, path, method, version, piece, count, exchange in
        guard let connection = unsafe connection, let count = unsafe count,
          let exchange = unsafe exchange?.pointee
        else { return .NO }
        let bytes = unsafe UnsafeRawBufferPointer(
          start: piece, count: piece == nil ? 0 : count.pointee)
        unsafe count.pointee = 0
        return unsafe Unmanaged<HTTPExchange>.fromOpaque(exchange).takeUnretainedValue().proceed(
          connection: HTTPConnection(connection), path: String(copying: path),
          method: String(copying: method), version: String(copying: version),
          piece: bytes) ? .YES : .NO
      },
      finish: { _, connection, exchange, reason in
        guard let connection = unsafe connection, let opaque = unsafe exchange?.pointee else {
          return
        }
        unsafe exchange?.pointee = nil
        unsafe Unmanaged<HTTPExchange>.fromOpaque(opaque).takeRetainedValue().finish(
          connection: HTTPConnection(connection),
          isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK)
      })
  }
}

extension String {
  /// Copies a string of the C library, or makes an empty one of none.
  fileprivate init(copying string: UnsafePointer<CChar>?) {
    self = unsafe string.map { unsafe String(cString: $0) } ?? ""
  }
}
