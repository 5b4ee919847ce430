#if os(Linux)
/// A preloaded library that makes one memory allocation of a codec library fail.
struct FaultyMemory {
  private let library: PreloadedLibrary

  init() throws {
    library = try PreloadedLibrary(Self.source)
  }

  /// Returns an environment in which one allocation by a library, or on its behalf, fails.
  ///
  /// At the failure, the program prints "refused" to standard error.
  ///
  /// - Parameters:
  ///   - number: The number of the allocation, from 1.
  ///   - library: The beginning of the library's file name.
  /// - Returns: Variables to add to the environment of the program.
  func refusing(_ number: Int, to library: String) -> [String: String] {
    self.library.environment(["FAULT_NUMBER": "\(number)", "FAULT_LIBRARY": "/\(library)"])
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <execinfo.h>
    #include <stdatomic.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>

    extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t);
    extern void *__libc_realloc(void *, size_t);

    static _Thread_local int is_looking;
    static atomic_int count;

    static int refuses(void) {
      const char *library = getenv("FAULT_LIBRARY");
      if (!library || is_looking) return 0;
      is_looking = 1;
      void *frames[6];
      int depth = backtrace(frames, 6), is_asking = 0;
      Dl_info info;
      for (int i = 2; i < depth && !is_asking; i++)
        is_asking = dladdr(frames[i], &info) && info.dli_fname && strstr(info.dli_fname, library);
      is_looking = 0;
      if (!is_asking || ++count != atoi(getenv("FAULT_NUMBER"))) return 0;
      if (write(STDERR_FILENO, "refused\\n", 8) < 0) return 0;
      errno = ENOMEM;
      return 1;
    }

    void *malloc(size_t size) { return refuses() ? NULL : __libc_malloc(size); }
    void *calloc(size_t n, size_t size) { return refuses() ? NULL : __libc_calloc(n, size); }
    void *realloc(void *p, size_t size) { return refuses() ? NULL : __libc_realloc(p, size); }
    """
}
#endif
