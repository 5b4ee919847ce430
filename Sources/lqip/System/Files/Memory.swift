#if canImport(CLqipLinux)
import CLqipLinux
#endif

/// Settings of the C library's allocator, which have an effect only on Linux.
package enum Memory {
  /// Makes the allocator retain freed buffers for the next image, up to 4 MiB; larger ones return to the kernel.
  ///
  /// The page faults of new buffers can take as long as decoding a small image.
  package static func keepFreedBuffers() {
    #if canImport(CLqipLinux)
    mallopt(M_MMAP_THRESHOLD, 4 << 20)
    mallopt(M_TRIM_THRESHOLD, 4 << 20)
    #endif
  }

  /// Limits the number of allocator arenas, so that retained memory does not grow with the number of threads.
  ///
  /// - Parameter count: The number of threads that can allocate at once without contention.
  package static func share(among count: Int) {
    #if canImport(CLqipLinux)
    mallopt(M_ARENA_MAX, Int32(clamping: count))
    #endif
  }
}
