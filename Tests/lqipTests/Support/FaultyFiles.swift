#if os(Linux)
import Foundation

/// A preloaded library that simulates failures of disks, networks and system limits.
///
/// Workers must run without a sandbox, which would kill them for the system calls of these functions.
struct FaultyFiles {
  private let library: PreloadedLibrary

  init() throws {
    library = try PreloadedLibrary(Self.source)
  }

  /// Returns an environment in which system calls on certain files fail.
  ///
  /// - Parameters:
  ///   - call: `open`, `read`, `write` or `list` (a directory, after four entries), which fail; `hang` (a read or an
  ///     `fsync`), `hang-open`, `hang-stat` or `hang-list`, which never return.
  ///   - suffix: The end of the paths of these files.
  ///   - error: The error number.
  /// - Returns: Variables to add to the environment of the program.
  func failing(_ call: String, of suffix: String, with error: Int32 = EIO) -> [String: String] {
    library.environment(["FAULT_CALL": call, "FAULT_PATH": suffix, "FAULT_ERROR": "\(error)"])
  }

  /// Returns a variable to merge with another environment: each opened PNG appends a byte to a log.
  func logging(to log: String) -> [String: String] {
    ["FAULT_LOG": log]
  }

  /// Returns an environment in which a program can start only this number of threads.
  func withThreads(_ count: Int) -> [String: String] {
    library.environment(["FAULT_THREADS": "\(count)"])
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <dirent.h>
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <pthread.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <sys/stat.h>
    #include <unistd.h>

    static int entries[4096];

    /// The inodes of the faulty files, in memory that is shared with workers.
    static struct { int count; ino_t numbers[1024]; } *faulty;

    __attribute__((constructor)) static void share(void) {
      faulty = mmap(NULL, sizeof *faulty, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    }

    static int is_faulty(int descriptor) {
      struct stat status;
      if (faulty->count == 0 || fstat(descriptor, &status) != 0) return 0;
      for (int i = 0; i < faulty->count; i++)
        if (faulty->numbers[i] == status.st_ino) return 1;
      return 0;
    }

    static int is(const char *call) {
      const char *wanted = getenv("FAULT_CALL");
      return wanted && strcmp(wanted, call) == 0;
    }

    static int fail(void) {
      errno = atoi(getenv("FAULT_ERROR"));
      return -1;
    }

    int openat(int directory, const char *path, int flags, ...) {
      static int (*original)(int, const char *, int, ...);
      if (!original) original = dlsym(RTLD_NEXT, "openat");
      va_list arguments;
      va_start(arguments, flags);
      int mode = va_arg(arguments, int);
      va_end(arguments);
      const char *suffix = getenv("FAULT_PATH");
      size_t length = strlen(path), end = suffix ? strlen(suffix) : 0;
      int matches = suffix && length >= end && strcmp(path + length - end, suffix) == 0;
      if (matches && is("open")) return fail();
      if (matches && is("hang-open")) for (;;) pause();
      int descriptor = original(directory, path, flags, mode);
      struct stat status;
      if (descriptor >= 0 && descriptor < 4096) entries[descriptor] = 0;
      if (matches && fstat(descriptor, &status) == 0 && faulty->count < 1024)
        faulty->numbers[faulty->count++] = status.st_ino;
      const char *name = getenv("FAULT_LOG");
      if (name && length > 4 && strcmp(path + length - 4, ".png") == 0) {
        int log = original(AT_FDCWD, name, O_WRONLY | O_APPEND | O_CREAT, 0600);
        if (write(log, "", 1) < 0) abort();
        close(log);
      }
      return descriptor;
    }

    int fstatat(int directory, const char *path, struct stat *status, int flags) {
      static int (*original)(int, const char *, struct stat *, int);
      if (!original) original = dlsym(RTLD_NEXT, "fstatat");
      const char *suffix = getenv("FAULT_PATH");
      size_t length = strlen(path), end = suffix ? strlen(suffix) : 0;
      if (suffix && is("hang-stat") && length >= end && strcmp(path + length - end, suffix) == 0)
        for (;;) pause();
      return original(directory, path, status, flags);
    }

    ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset) {
      static ssize_t (*original)(int, void *, size_t, off_t);
      if (!original) original = dlsym(RTLD_NEXT, "pread");
      if (is("read") && is_faulty(descriptor)) return fail();
      if (is("hang") && is_faulty(descriptor)) for (;;) pause();
      return original(descriptor, buffer, count, offset);
    }

    ssize_t write(int descriptor, const void *buffer, size_t count) {
      static ssize_t (*original)(int, const void *, size_t);
      if (!original) original = dlsym(RTLD_NEXT, "write");
      if (is("write") && is_faulty(descriptor)) return fail();
      return original(descriptor, buffer, count);
    }

    int fsync(int descriptor) {
      static int (*original)(int);
      if (!original) original = dlsym(RTLD_NEXT, "fsync");
      if (is("hang") && is_faulty(descriptor)) for (;;) pause();
      return original(descriptor);
    }

    int pthread_create(
        pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
      static int (*original)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
      static int count;
      if (!original) original = dlsym(RTLD_NEXT, "pthread_create");
      const char *limit = getenv("FAULT_THREADS");
      if (limit && __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) >= atoi(limit)) return EAGAIN;
      return original(thread, attributes, body, argument);
    }

    struct dirent *readdir(DIR *stream) {
      static struct dirent *(*original)(DIR *);
      if (!original) original = dlsym(RTLD_NEXT, "readdir");
      int descriptor = dirfd(stream);
      if (descriptor < 4096 && is("list") && is_faulty(descriptor) && ++entries[descriptor] > 4) {
        fail();
        return NULL;
      }
      if (is("hang-list") && is_faulty(descriptor)) for (;;) pause();
      return original(stream);
    }
    """
}
#endif
