/// The metadata of a file, as returned by `stat`.
package struct FileStatus: Sendable {
  /// The file types that the program distinguishes.
  package enum Kind: Sendable {
    case regular, directory, symbolicLink, other
  }

  /// The identity of a file, independent of its name.
  package struct Identity: Hashable, Sendable {
    package let device: dev_t
    package let number: ino_t
  }

  package let identity: Identity
  package let kind: Kind
  package let byteCount: Int
  package let permissions: mode_t
  package let owner: uid_t
  package let group: gid_t
  package let modified: Timestamp
  /// The time of the last change to the content or metadata (ctime).
  ///
  /// Unlike the modification time, it cannot be set by programs.
  package let changed: Timestamp

  /// Reads the status of a path (`fstatat`).
  package init(
    of path: FilePath, followsLinks: Bool, from directory: Int32 = AT_FDCWD
  ) throws(SystemError) {
    var status = stat()
    _ = try unsafe path.withSystemName(from: directory) { directory, name throws(SystemError) in
      try SystemError.check {
        unsafe fstatat(directory, name, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW)
      }
    }
    self.init(status)
  }

  /// Reads the status of an open file (`fstat`).
  package init(of descriptor: Int32) throws(SystemError) {
    var status = stat()
    _ = try SystemError.check { unsafe fstat(descriptor, &status) }
    self.init(status)
  }

  package init(_ status: stat) {
    identity = Identity(device: status.st_dev, number: status.st_ino)
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .symbolicLink
    default: kind = .other
    }
    byteCount = Int(status.st_size)
    permissions = status.st_mode & 0o777
    (owner, group) = (status.st_uid, status.st_gid)
    #if canImport(Darwin)
    (modified, changed) = (Timestamp(status.st_mtimespec), Timestamp(status.st_ctimespec))
    #else
    (modified, changed) = (Timestamp(status.st_mtim), Timestamp(status.st_ctim))
    #endif
  }
}

/// A point in time, in seconds and nanoseconds since 1970-01-01 00:00 UTC.
package struct Timestamp: Hashable, Sendable {
  package let seconds: Int
  package let nanoseconds: Int

  package init(seconds: Int, nanoseconds: Int) {
    (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
  }

  package init(_ time: timespec) {
    self.init(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
  }

  package static var now: Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(time)
  }

  /// Returns whether this time is earlier than another.
  package func precedes(_ other: Timestamp) -> Bool {
    (seconds, nanoseconds) < (other.seconds, other.nanoseconds)
  }

  /// The time in the format of RFC 3339, in UTC, with nine decimal places.
  package var text: String {
    var seconds = time_t(seconds)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      + "." + String(UInt64(nanoseconds), minimumLength: 9) + "Z"
  }
}
