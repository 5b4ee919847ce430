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
    let flags = O_RDONLY | O_DIRECTORY | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = try FileDescriptor(opening: path, flags)
    guard let stream = unsafe fdopendir(descriptor.number) else { throw .last }
    _ = descriptor.release()
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
    do throws(SystemError) {
      return try status(of: entry.name, followsLinks: true)
    } catch {
      guard [ENOENT, ENOTDIR, ELOOP].contains(error.number) else { throw error }
      return nil
    }
  }

  /// Returns the next entry, or `nil` after the last; the entries include `.` and `..`.
  package mutating func next() throws(SystemError) -> Entry? {
    errno = 0
    guard let entry = unsafe readdir(stream) else {
      guard errno == 0 else { throw .last }
      return nil
    }
    let text = unsafe UnsafeRawPointer(entry) + nameOffset
    let name = unsafe FilePath(cString: text.assumingMemoryBound(to: CChar.self)).bytes
    return Entry(name: name, kind: kind(of: name, type: Int32(unsafe entry.pointee.d_type)))
  }

  private func status(of name: [UInt8], followsLinks: Bool) throws(SystemError) -> FileStatus {
    try FileStatus(of: FilePath(name), followsLinks: followsLinks, from: unsafe dirfd(stream))
  }

  private func kind(of name: [UInt8], type: Int32) -> FileStatus.Kind {
    switch type {
    case Int32(DT_REG): return .regular
    case Int32(DT_DIR): return .directory
    case Int32(DT_LNK): return .symbolicLink
    case Int32(DT_UNKNOWN):
      // `readdir` does not report the type on every file system.
      return (try? status(of: name, followsLinks: false))?.kind ?? .other
    default: return .other
    }
  }
}
