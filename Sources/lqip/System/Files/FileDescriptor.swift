/// An owned file descriptor, closed on deinitialization.
package struct FileDescriptor: ~Copyable {
  package let number: Int32

  /// Opens a file with `openat`, and with `O_CLOEXEC` and `O_NOCTTY`.
  package init(
    opening path: FilePath, _ flags: Int32, permissions: mode_t = 0o666,
    from directory: Int32 = AT_FDCWD
  ) throws(SystemError) {
    number = try unsafe path.withSystemName(from: directory) {
      directory, name throws(SystemError) in
      try SystemError.check {
        unsafe openat(directory, name, flags | O_CLOEXEC | O_NOCTTY, permissions)
      }
    }
  }

  /// Creates a file without a name in the directory `TMPDIR`, or in `/tmp`.
  package init(temporaryFor purpose: String) throws(SystemError) {
    let directory = Environment.value("TMPDIR") ?? "/tmp"
    var path = "\(directory)/lqip-\(purpose).XXXXXX".utf8CString.map(\.self)
    number = try SystemError.check { unsafe mkstemp(&path) }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    unsafe unlink(&path)
  }

  /// Duplicates a descriptor; the original stays open when the duplicate is closed.
  package init(duplicating descriptor: Int32) throws(SystemError) {
    number = try SystemError.check { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
  }

  #if canImport(Glibc)
  /// The argument of `socket` for a stream socket.
  package static let streamSocket = Int32(SOCK_STREAM.rawValue)
  #else
  package static let streamSocket = SOCK_STREAM
  #endif

  /// Creates a stream socket of an address family, with `FD_CLOEXEC`.
  package init(streamSocketOf family: Int32) throws(SystemError) {
    number = try SystemError.check { socket(family, FileDescriptor.streamSocket, 0) }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  /// Takes ownership of an open descriptor.
  package init(owning descriptor: Int32) {
    number = descriptor
  }

  deinit { close(number) }

  /// Returns the descriptor without closing it; the caller becomes its owner.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }
}

extension FileDescriptor {
  /// Reads up to `count` bytes at an offset with one system call; returns an empty array at the end of the file.
  package static func read(
    _ descriptor: Int32, at offset: Int, upTo count: Int
  ) throws(SystemError) -> [UInt8] {
    try unsafe bytes(upTo: count) {
      unsafe pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
    }
  }

  /// Reads up to `count` bytes at the current offset, waiting until some are available; returns an empty array at the
  /// end.
  package static func readNext(
    _ descriptor: Int32, upTo count: Int
  ) throws(SystemError) -> [UInt8] {
    while true {
      do throws(SystemError) {
        return try unsafe bytes(upTo: count) {
          unsafe readOnce(descriptor, $0.baseAddress, $0.count)
        }
      } catch {
        // Another process may have made the shared pipe or terminal non-blocking.
        guard error == .wouldBlock else { throw error }
        try wait(for: Int16(POLLIN), on: descriptor)
      }
    }
  }

  /// Returns the bytes that a system call stores in a buffer of `count` bytes.
  static func bytes(
    upTo count: Int, _ call: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, count in
      do throws(SystemError) {
        count = try SystemError.check { unsafe call(buffer) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Waits until the descriptor is readable or at its end; returns `false` if the deadline passes first.
  package static func waitForInput(
    _ descriptor: Int32, until deadline: MonotonicTime
  ) throws(SystemError) -> Bool {
    try wait(for: Int16(POLLIN), on: descriptor, until: deadline)
  }

  /// Waits for an event of `poll`; returns `false` if the deadline passes first.
  static func wait(
    for events: Int16, on descriptor: Int32, until deadline: MonotonicTime
  ) throws(SystemError) -> Bool {
    var request = pollfd(fd: descriptor, events: events, revents: 0)
    // Round up so that the deadline has passed when `poll` times out.
    let milliseconds = Int32(max(0, min(1e9, (deadline - .now) / .milliseconds(1) + 1)))
    return try SystemError.check { unsafe poll(&request, 1, milliseconds) } > 0
  }

  #if os(Linux)
  /// `POLLRDHUP`, from poll(2): the peer has closed its sending end.
  private static let hangUpEvent = Int16(0x2000)
  #else
  private static let hangUpEvent = Int16(POLLHUP)
  #endif

  /// Returns whether the peer of a socket has closed the connection or its sending end.
  package static func isHungUp(_ socket: Int32) -> Bool {
    var request = pollfd(fd: socket, events: hangUpEvent, revents: 0)
    return unsafe poll(&request, 1, 0) > 0
  }

  /// Writes all bytes, repeating `write` as needed and waiting while a non-blocking descriptor is not ready.
  package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    try unsafe bytes.withUnsafeBufferPointer { buffer throws(SystemError) in
      guard let start = buffer.baseAddress else { return }
      var written = 0
      while written < buffer.count {
        do throws(SystemError) {
          written += try SystemError.check {
            unsafe write(descriptor, start + written, buffer.count - written)
          }
        } catch {
          // Another process may have made the shared pipe or terminal non-blocking.
          guard error == .wouldBlock else { throw error }
          try wait(for: Int16(POLLOUT), on: descriptor)
        }
      }
    }
  }

  private static func wait(for events: Int16, on descriptor: Int32) throws(SystemError) {
    var request = pollfd(fd: descriptor, events: events, revents: 0)
    _ = try SystemError.check { unsafe poll(&request, 1, -1) }
  }
}

/// Calls the C function `read`, which the methods named `read` shadow inside `FileDescriptor`.
private func readOnce(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  unsafe read(descriptor, buffer, count)
}

/// A regular file, open for reading.
package struct RegularFile: ~Copyable {
  package let descriptor: FileDescriptor
  package let status: FileStatus

  /// Opens a file for reading; returns `nil` unless the path refers to a regular file.
  ///
  /// Opening a device can have side effects, so the target of a path that may be a link is checked first. Without
  /// `followsLinks`, the path comes from a directory listing, which has reported a regular file. The file may be
  /// replaced before the opening, so the open descriptor is checked too.
  package init?(opening path: FilePath, followsLinks: Bool) throws(SystemError) {
    if followsLinks, try FileStatus(of: path, followsLinks: true).kind != .regular { return nil }
    let flags = O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = try FileDescriptor(opening: path, flags)
    let status = try FileStatus(of: descriptor.number)
    guard status.kind == .regular else { return nil }
    self.descriptor = descriptor
    self.status = status
  }

  /// Returns the descriptor without closing it; the caller becomes its owner.
  package consuming func release() -> Int32 { descriptor.release() }
}
