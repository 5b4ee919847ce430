#if canImport(CLqipLinux)
import CLqipLinux
#endif

/// How the C library's allocator is to behave; nothing where it has no such settings.
package enum Memory {
  /// Keeps the buffers of one image for the next, instead of giving them back to the kernel.
  ///
  /// To fault them in again can cost as much as decoding a small image.
  package static func keepFreed() {
    #if canImport(CLqipLinux)
    mallopt(M_MMAP_THRESHOLD, 8 << 20)
    mallopt(M_TRIM_THRESHOLD, 32 << 20)
    #endif
  }

  /// Gives large buffers back to the kernel as soon as they are freed, so that those of many bodies
  /// are not kept when the bodies are gone.
  package static func giveBackLarge() {
    #if canImport(CLqipLinux)
    mallopt(M_MMAP_THRESHOLD, 4 << 20)
    #endif
  }

  /// Lets threads share what is kept, so that it does not grow with their number.
  ///
  /// - Parameter count: How many may allocate at once without waiting for each other.
  package static func share(among count: Int) {
    #if canImport(CLqipLinux)
    mallopt(M_ARENA_MAX, Int32(clamping: count))
    #endif
  }
}
