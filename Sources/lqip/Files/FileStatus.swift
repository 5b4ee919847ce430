/// What the system tells about a file without reading it.
package struct FileStatus: Sendable {
  /// The kinds of file that are told apart here.
  package enum Kind: Sendable {
    case regular, directory, symbolicLink, other
  }

  /// What a file is by its place on a disk, whatever its name.
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

  /// Asks about a path; the corresponding C function is `fstatat`.
  package init(of path: FilePath, followsLinks: Bool) throws(SystemError) {
    var status = stat()
    _ = try unsafe path.withSystemName { directory, name throws(SystemError) in
      try SystemError.check {
        unsafe fstatat(directory, name, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW)
      }
    }
    self.init(status)
  }

  /// Asks about an open file; the corresponding C function is `fstat`.
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
    modified = Timestamp(status.st_mtimespec)
    #else
    modified = Timestamp(status.st_mtim)
    #endif
  }
}
