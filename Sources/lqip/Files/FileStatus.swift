#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the system tells about a file without reading it.
struct FileStatus: Sendable {
  /// The kinds of file that are told apart here.
  enum Kind: Sendable {
    case regular, directory, symbolicLink, other
  }

  let kind: Kind
  let byteCount: Int
  let permissions: mode_t
  let modified: Timestamp

  /// Asks about a path; the corresponding C functions are `stat` and `lstat`.
  init(of path: FilePath, followsLinks: Bool) throws(SystemError) {
    var status = stat()
    _ = try unsafe path.withCString { name throws(SystemError) in
      try SystemError.check {
        unsafe followsLinks ? stat(name, &status) : lstat(name, &status)
      }
    }
    self.init(status)
  }

  /// Asks about an open file; the corresponding C function is `fstat`.
  init(of descriptor: Int32) throws(SystemError) {
    var status = stat()
    _ = try SystemError.check { unsafe fstat(descriptor, &status) }
    self.init(status)
  }

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .symbolicLink
    default: kind = .other
    }
    byteCount = Int(status.st_size)
    permissions = status.st_mode & 0o777
    #if canImport(Glibc)
    modified = Timestamp(status.st_mtim)
    #else
    modified = Timestamp(status.st_mtimespec)
    #endif
  }
}
