#if os(Linux)
/// A libjpeg that simulates an exploit when it decodes an image of a certain size.
struct HostileDecoder {
  /// The behavior in place of decoding.
  enum Attack: String, CaseIterable {
    case nullWrite, jumpIntoData, recursion, loop, allocation
    case open, socket, execute, fork, trace, killParent, signalParent
    case end, silence, readyAgain, endForged, notStartedForged
    case replyTooShort, replyTooLong, replyTwice, replyForged, replyNotANumber, replyNoImage
    case unknownEvent

    /// The expected error code of the record.
    var code: String {
      switch self {
      case .loop, .silence: "timeout"
      case .allocation: "too_large"
      default: "decoder_failed"
      }
    }
  }

  /// The fixture that triggers the attack by its size, which no other fixture has.
  static let image = "jpeg-size-17x9.jpg"

  private let library: PreloadedLibrary

  init() throws {
    library = try PreloadedLibrary(Self.source)
  }

  /// Returns an environment in which a program uses this libjpeg.
  func environment(_ attack: Attack) -> [String: String] {
    library.environment(["ATTACK": attack.rawValue])
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <math.h>
    #include <signal.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/ptrace.h>
    #include <sys/socket.h>
    #include <sys/syscall.h>
    #include <sys/uio.h>
    #include <unistd.h>
    #include <jpeglib.h>
    #include <jerror.h>

    static volatile int depth;
    static char attack[32];

    __attribute__((constructor)) static void prepare(void) {
      const char *name = getenv("ATTACK");
      snprintf(attack, sizeof attack, "%s", name ? name : "");
    }

    static int is(const char *name) { return strcmp(attack, name) == 0; }

    static int recurse(int n) {
      volatile char place[4096];
      place[n & 4095] = (char)n;
      depth++;
      return recurse(n + 1) + place[depth & 4095];
    }

    /// Sends bytes to the parent; the channel is the worker's only descriptor besides the image.
    static void send_bytes(const void *bytes, size_t count) {
      struct iovec piece = {(void *)bytes, count};
      struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
      sendmsg(0, &message, 0);
    }

    static void reply(const uint8_t *content, uint32_t count, uint32_t stated) {
      uint8_t message[4096] = {1, 1};
      memcpy(message + 2, &stated, 4);
      memcpy(message + 6, content, count);
      send_bytes(message, 6 + count);
    }

    static void misbehave(j_decompress_ptr info) {
      static const char words[] = "these are no instructions";
      if (is("nullWrite")) *(volatile int *)0 = 1;
      if (is("jumpIntoData")) ((void (*)(void))(uintptr_t)words)();
      if (is("recursion")) recurse(0);
      if (is("loop")) for (;;) depth++;
      if (is("allocation") && !malloc((size_t)20 << 30)) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
      if (is("open")) open("/etc/passwd", O_RDONLY);
      if (is("socket")) socket(AF_INET, SOCK_STREAM, 0);
      if (is("execute")) execl("/bin/true", "true", NULL);
      if (is("fork")) fork();
      if (is("trace")) ptrace(PTRACE_TRACEME, 0, 0, 0);
      if (is("killParent")) kill(getppid(), SIGKILL);
      if (is("signalParent")) syscall(SYS_rt_sigqueueinfo, 1, SIGTERM, NULL);
      if (is("end")) _exit(0);
      if (is("silence")) {
        char bytes[16];
        struct iovec piece = {bytes, sizeof bytes};
        struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
        for (;;) recvmsg(0, &message, 0);
      }
      const uint8_t none[] = {3};
      if (is("replyTooShort")) reply(none, 1, 100);
      if (is("replyTooLong")) reply(none, 1, 0xFFFFFFFF);
      if (is("replyTwice")) {
        const uint8_t replies[] = {1, 2, 1, 0, 0, 0, 3, 1, 0, 0, 0, 3};
        send_bytes(replies, sizeof replies);
      }
      // The reply for a file without an image signature, which is not allowed for a file with an image extension.
      if (is("replyNoImage")) reply((const uint8_t[]){2}, 1, 1);
      if (is("replyForged")) {
        const uint8_t image[64] = {0, 9, 9};
        reply(image, sizeof image, sizeof image);
      }
      if (is("replyNotANumber")) {
        // A palette whose only share is NaN.
        uint8_t image[] = {0, 73, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 1, 0,
          0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 0, 0, 0xC0, 0x7F, 1, 2, 3, 0};
        reply(image, sizeof image, sizeof image);
      }
      if (is("readyAgain")) send_bytes("\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00", 11);
      if (is("endForged")) send_bytes("\\x02\\x0b\\x00\\x00\\x00", 5);
      if (is("notStartedForged")) send_bytes("\\x03\\x0b\\x00\\x00\\x00", 5);
      if (is("unknownEvent")) send_bytes("\\x63\\x00", 2);
      for (;;) depth++;
    }

    int jpeg_read_header(j_decompress_ptr info, boolean required) {
      static int (*original)(j_decompress_ptr, boolean);
      if (!original) original = dlsym(RTLD_NEXT, "jpeg_read_header");
      const int result = original(info, required);
      if (*attack && info->image_width == 17 && info->image_height == 9) misbehave(info);
      return result;
    }
    """
}
#endif
