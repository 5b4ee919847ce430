#if canImport(CLqipLinux)
internal import CLqipLinux
#endif

extension FileDescriptor {
  /// What the kernel reads ahead by default.
  private static let cachedPieceLength = 1 << 17

  /// Whether the system can give the bytes without waiting for a disk, judging by one of each piece; false
  /// where it does not tell.
  package func isCached(byteCount: Int) -> Bool {
    #if canImport(CLqipLinux)
    return stride(from: 0, to: byteCount, by: Self.cachedPieceLength).allSatisfy { offset in
      var byte: UInt8 = 0
      return unsafe withUnsafeMutableBytes(of: &byte) { buffer in
        var piece = unsafe iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
        return unsafe preadv2(number, &piece, 1, off_t(offset), Int32(LQIP_RWF_NOWAIT)) == 1
      }
    }
    #else
    return false
    #endif
  }
}
