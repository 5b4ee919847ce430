import CLqipMicroHTTPD
import LqipSystem

/// A connection of libmicrohttpd, with its current request.
///
/// A value is valid only on the connection's thread, until its request has finished.
@safe struct HTTPConnection {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  /// The descriptor of the socket, or -1 if it is unknown.
  var descriptor: Int32 {
    unsafe lqip_mhd_info(pointer, .CONNECTION_INFO_CONNECTION_FD)?.pointee.connect_fd ?? -1
  }

  /// The client's address; `nil` for a Unix socket.
  ///
  /// An IPv4-mapped IPv6 address is written as an IPv4 address.
  var client: String? {
    guard let host = unsafe SocketAddress(getpeername, descriptor).numeric?.host else { return nil }
    let mapped = "::ffff:"
    return host.hasPrefix(mapped) ? String(host.dropFirst(mapped.count)) : host
  }

  /// Whether the client has closed its sending side or the connection.
  var isClosedByClient: Bool {
    var byte: UInt8 = 0
    let count = unsafe recv(descriptor, &byte, 1, lqip_peek | lqip_do_not_wait)
    return count == 0 || count == -1 && errno != EAGAIN
  }

  /// The size of the request head in bytes; 0 if it is unknown.
  var headByteCount: Int {
    unsafe lqip_mhd_info(pointer, .CONNECTION_INFO_REQUEST_HEADER_SIZE)?.pointee.header_size ?? 0
  }

  /// Returns whether the head conforms strictly to RFC 9112, or the library has checked it itself.
  func isHeadStrict(
    _ method: UnsafePointer<CChar>, _ path: UnsafePointer<CChar>, _ targetByteCount: Int,
    _ version: UnsafePointer<CChar>
  ) -> Bool {
    guard !lqip_mhd_is_strict() else { return true }
    let head = unsafe UnsafeRawBufferPointer(start: method, count: headByteCount)
    let target = unsafe path - method
    return unsafe ParsedHead.isStrict(
      head.bindMemory(to: UInt8.self).span, targetRange: target..<(target + targetByteCount),
      versionOffset: version - method)
  }

  /// The status of the queued response; 0 if there is none.
  var status: Int {
    unsafe Int(lqip_mhd_info(pointer, .CONNECTION_INFO_HTTP_STATUS)?.pointee.http_status ?? 0)
  }

  /// Queues a response, and returns whether libmicrohttpd accepted it.
  func send(status: Int, fields: [HeaderField], body: [UInt8]) -> Bool {
    guard let library = unsafe lqip_mhd()?.pointee else { return false }
    let response = unsafe body.withUnsafeBytes {
      unsafe library.MHD_create_response_from_buffer(
        $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let response = unsafe response else { return false }
    defer { unsafe library.MHD_destroy_response(response) }
    for (name, value) in fields {
      guard unsafe library.MHD_add_response_header(response, name, value) == .YES else {
        return false
      }
    }
    return unsafe library.MHD_queue_response(pointer, UInt32(status), response) == .YES
  }

  /// Returns the header fields as sent, or the percent-decoded query parameters, in order.
  func values(_ kind: MHD_ValueKind) -> [HeaderField] {
    typealias Values = [HeaderField]
    var values: Values = []
    unsafe withUnsafeMutablePointer(to: &values) { values in
      _ = unsafe lqip_mhd()?.pointee.MHD_get_connection_values_n(
        pointer, kind,
        { values, _, name, nameCount, value, valueCount in
          let name = unsafe UnsafeRawBufferPointer(start: name, count: nameCount)
          let value = unsafe UnsafeRawBufferPointer(start: value, count: valueCount)
          unsafe values?.assumingMemoryBound(to: Values.self).pointee.append(
            (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
          return .YES
        }, values)
    }
    return values
  }
}
