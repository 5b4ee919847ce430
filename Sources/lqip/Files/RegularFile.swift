/// A file of bytes, open for reading.
package struct RegularFile: ~Copyable {
  package let descriptor: FileDescriptor
  package let status: FileStatus

  /// Opens a file, or gives nil when the path stands for anything but a regular file.
  ///
  /// Opening a pipe or a device might wait for ever or set something in motion, so the path is
  /// asked first; and as it may come to stand for something else meanwhile, the open file again.
  package init?(opening path: FilePath, followsLinks: Bool) throws(SystemError) {
    guard try FileStatus(of: path, followsLinks: followsLinks).kind == .regular else { return nil }
    let flags = O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = try FileDescriptor(opening: path, flags)
    let status = try FileStatus(of: descriptor.number)
    guard status.kind == .regular else { return nil }
    self.descriptor = descriptor
    self.status = status
  }

  /// Gives the open file away, to be closed by whoever gets it.
  package consuming func release() -> Int32 { descriptor.release() }
}
