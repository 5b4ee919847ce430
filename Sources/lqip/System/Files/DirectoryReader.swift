#if canImport(Darwin)
private typealias DirectoryStream = UnsafeMutablePointer<DIR>
#else
private typealias DirectoryStream = OpaquePointer
#endif

/// Reads the entries of a directory in file system order.
@safe package struct DirectoryReader: ~Copyable {
  package struct Entry {
    package let name: [UInt8]
    package let kind: FileStatus.Kind
  }

  private let stream: DirectoryStream
  private let nameOffset: Int

  /// Opens a directory; the corresponding C functions are `openat` and `fdopendir`.
  package init(_ path: FilePath, followsLinks: Bool) throws(SystemError) {
    guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) else {
      preconditionFailure("struct dirent has no member d_name")
    }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = try unsafe path.withSystemName { directory, name throws(SystemError) in
      try SystemError.check { unsafe openat(directory, name, flags) }
    }
    guard let stream = unsafe fdopendir(descriptor) else {
      let error = SystemError.last
      close(descriptor)
      throw error
    }
    unsafe self.stream = stream
    self.nameOffset = nameOffset
  }

  deinit { unsafe closedir(stream) }

  /// The device and inode numbers of the directory.
  package var identity: FileStatus.Identity {
    get throws(SystemError) { try FileStatus(of: unsafe dirfd(stream)).identity }
  }

  /// Returns the status of an entry after following symbolic links, or `nil` for a dangling or circular link.
  ///
  /// - Throws: The system's error if the target cannot be resolved, for example for lack of permission.
  package func target(of entry: Entry) throws(SystemError) -> FileStatus? {
    var status = stat()
    do throws(SystemError) {
      _ = try unsafe FilePath(entry.name).withCString { name throws(SystemError) in
        try SystemError.check { unsafe fstatat(dirfd(stream), name, &status, 0) }
      }
    } catch {
      guard [ENOENT, ENOTDIR, ELOOP].contains(error.number) else { throw error }
      return nil
    }
    return FileStatus(status)
  }

  /// Returns the next entry, or `nil` after the last; the entries include `.` and `..`.
  package mutating func next() throws(SystemError) -> Entry? {
    errno = 0
    guard let entry = unsafe readdir(stream) else {
      guard errno == 0 else { throw .last }
      return nil
    }
    let start = unsafe UnsafeRawPointer(entry) + nameOffset
    let text = unsafe start.assumingMemoryBound(to: CChar.self)
    let name = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: strlen(text)))
    return Entry(name: name, kind: unsafe kind(named: text, type: Int32(entry.pointee.d_type)))
  }

  private func kind(named name: UnsafePointer<CChar>, type: Int32) -> FileStatus.Kind {
    switch type {
    case Int32(DT_REG): return .regular
    case Int32(DT_DIR): return .directory
    case Int32(DT_LNK): return .symbolicLink
    case Int32(DT_UNKNOWN):
      // `readdir` does not report the type on every file system.
      var status = stat()
      let answer = unsafe fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW)
      return answer == 0 ? FileStatus(status).kind : .other
    default: return .other
    }
  }
}
