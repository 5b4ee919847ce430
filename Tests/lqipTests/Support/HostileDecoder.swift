#if os(Linux)
import PlaceholdersTestSupport

/// A libjpeg that obeys the orders in an image, like a decoder that the image has taken over.
///
/// The orders are executed by the worker, in its sandbox. They are in a comment of a JPEG file, which the program without
/// this library decodes as usual: the program itself contains no code that obeys.
struct HostileDecoder {
  enum Order: String, CaseIterable {
    // Crashes and forbidden system calls.
    case nullWrite, jumpIntoData, recursion, allocate
    case open, socket, execute, fork, trace, killParent, stopZygote, signalParent
    case mapShared, mapFile, mapCode, mapReadable, wait, probe
    // Endless work.
    case loop, silence
    // Forged messages.
    case end, readyAgain, endForged, notStartedForged
    case replyTooShort, replyTooLong, replyTwice, replyForged, replyNotANumber, replyNoImage
    case replyOther, unknownEvent, flood, sendDescriptors
    // Orders after which the worker continues.
    case growSlot, readSlot, write, advise
    // Valid replies, after which the worker does not continue.
    case spinIdle, answerAhead, neverReceive
    // Orders for the time at which the next image arrives.
    case crashLater, spinLater, forgeLater, readLater

    /// The error code of the record, if the image has this order alone; `nil` if it is encoded.
    var code: String? {
      switch self {
      case .loop, .silence: "timeout"
      case .growSlot, .readSlot, .write, .advise: nil
      case .crashLater, .spinLater, .forgeLater, .readLater: nil
      // The valid reply of these orders.
      case .spinIdle, .answerAhead, .neverReceive: "corrupt"
      default: "decoder_failed"
      }
    }

    /// The option for a time limit: short if the order takes all of it, otherwise out of reach on a busy machine.
    var timeLimit: String {
      switch self {
      case .loop, .silence, .spinIdle, .spinLater, .neverReceive: "--timeout=1"
      default: "--timeout=30"
      }
    }
  }

  private let library: PreloadedLibrary

  init() throws {
    library = try PreloadedLibrary(Self.source)
  }

  /// An environment in which a program uses this libjpeg.
  var environment: [String: String] { library.environment([:]) }

  /// Returns an image that gives orders to this libjpeg.
  static func image(_ orders: [Order]) throws -> [UInt8] {
    let text = Array("orders:\(orders.map { "\($0.rawValue)," }.joined())".utf8) + [0]
    let count = text.count + 2
    let comment = [0xFF, 0xFE, UInt8(count >> 8), UInt8(count & 255)] + text
    var image = try Fixtures.bytes("jpeg-size-17x9.jpg")
    image.insert(contentsOf: comment, at: 2)
    return image
  }

  private static let source = #"""
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <signal.h>
    #include <stdbool.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <sys/ptrace.h>
    #include <sys/socket.h>
    #include <sys/syscall.h>
    #include <sys/uio.h>
    #include <time.h>
    #include <unistd.h>
    #include <jpeglib.h>
    #include <jerror.h>

    static volatile int depth;
    static pid_t zygote, parent;
    static bool has_request;
    static uint8_t number[8];
    static uint8_t *slot;
    static size_t slot_size;
    static char later[32];

    static void spin(void) { for (;;) depth++; }

    /// Sends bytes to the parent.
    static void send_bytes(const void *bytes, size_t count) {
      struct iovec piece = {(void *)bytes, count};
      struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
      syscall(SYS_sendmsg, 0, &message, 0);
    }

    static void reply(const void *content, uint32_t count, uint32_t stated) {
      // The worker of a single image receives no request, and its reply has no header.
      if (!has_request) return send_bytes(content, count);
      uint8_t message[4096] = {1};
      memcpy(message + 1, number, 8);
      memcpy(message + 9, &stated, 4);
      memcpy(message + 13, content, count);
      send_bytes(message, 13 + count);
    }

    /// Sends a valid reply: an error with a text.
    static void reply_error(const char *text) {
      uint8_t content[1100] = "\1\7\0\0\0corrupt";
      const uint32_t count = strlen(text);
      memcpy(content + 12, &count, 4);
      memcpy(content + 16, text, count);
      reply(content, 16 + count, 16 + count);
    }

    static void reply_image(void) {
      const uint8_t image[64] = {0, 9, 9};
      reply(image, sizeof image, sizeof image);
    }

    static int recurse(int n) {
      volatile char place[4096];
      place[n & 4095] = (char)n;
      depth++;
      return recurse(n + 1) + place[depth & 4095];
    }

    /// Reports bytes of other images that are within reach.
    static void report(const char *place, const uint8_t *bytes, size_t count) {
      for (size_t i = 0; i + 4 < count; i++) {
        if (!bytes[i]) continue;
        char text[64];
        snprintf(text, sizeof text, "leak in %s: %02x %02x", place, bytes[i], bytes[i + 1]);
        reply_error(text);
        spin();
      }
    }

    /// Returns the number of bytes before the zeros at the end of the image in the slot.
    static size_t image_size(void) {
      for (size_t i = 2; i + 1 < slot_size; i++)
        if (slot[i] == 0xFF && slot[i + 1] == 0xD9) return i + 2;
      return slot_size;
    }

    static void obey(const char *order, j_decompress_ptr info) {
    #define IS(name) if (strcmp(order, name) == 0)
      IS("nullWrite") *(volatile int *)0 = 1;
      IS("jumpIntoData") ((void (*)(void))(uintptr_t) "these are no instructions")();
      IS("recursion") recurse(0);
      IS("open") open("/etc/passwd", O_RDONLY);
      IS("socket") socket(AF_INET, SOCK_STREAM, 0);
      IS("execute") execl("/bin/true", "true", NULL);
      IS("fork") syscall(SYS_fork);
      IS("trace") ptrace(PTRACE_ATTACH, zygote, 0, 0);
      IS("killParent") kill(parent, SIGKILL);
      IS("stopZygote") kill(zygote, SIGSTOP);
      IS("signalParent") syscall(SYS_rt_sigqueueinfo, parent, SIGTERM, NULL);
      IS("wait") syscall(SYS_futex, &depth, 0, 0, NULL);
      IS("probe") {
        struct timespec time;
        syscall(SYS_clock_gettime, ~parent << 3 | 2, &time);
      }
      const int access = PROT_READ | PROT_WRITE, private = MAP_PRIVATE | MAP_ANONYMOUS;
      IS("mapShared") mmap(NULL, 1500 << 20, access, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
      IS("mapFile") mmap(NULL, 4096, access, MAP_PRIVATE, 1, 0);
      IS("mapCode") mmap(NULL, 4096, access | PROT_EXEC, private, -1, 0);
      IS("mapReadable") mmap(NULL, (size_t)1 << 40, PROT_READ, private | MAP_NORESERVE, -1, 0);
      IS("loop") spin();
      IS("silence") {
        // Waits without receiving.
        char byte;
        struct iovec piece = {&byte, 1};
        struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
        for (;;) syscall(SYS_recvmsg, 0, &message, MSG_PEEK);
      }
      IS("end") syscall(SYS_exit_group, 0);
      const uint8_t none[] = {3};
      IS("replyTooShort") reply(none, 1, 100);
      IS("replyTooLong") reply(none, 1, 0xFFFFFFFF);
      IS("replyTwice") { reply_image(); reply_image(); }
      // The reply for a file without an image signature, which is not allowed for a file with an image extension.
      IS("replyNoImage") reply("\2", 1, 1);
      IS("replyForged") reply_image();
      IS("replyOther") { number[3]++; reply_error("forged"); }
      IS("replyNotANumber") {
        // A palette whose only share is NaN.
        uint8_t image[] = {0, 73, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 1, 0,
          0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 0, 0, 0xC0, 0x7F, 1, 2, 3, 0};
        reply(image, sizeof image, sizeof image);
      }
      IS("readyAgain") send_bytes("\0\1\0\0\0\0\0\0\0\0\0", 11);
      IS("endForged") send_bytes("\2\13\0\0\0", 5);
      IS("notStartedForged") send_bytes("\3\13\0\0\0", 5);
      IS("unknownEvent") send_bytes("\143\0", 2);
      IS("flood") for (;;) send_bytes("\1", 1);
      IS("spinIdle") { reply_error("forged"); spin(); }
      IS("answerAhead") {
        reply_error("forged");
        for (int i = 0; i < 300; i++) {
          number[0]++;
          reply_error("ahead");
        }
        spin();
      }
      IS("neverReceive") { reply_error("forged"); obey("silence", info); }
      IS("growSlot") if (slot) {
        const uint8_t *grown = mremap(slot, slot_size, 3 * slot_size, MREMAP_MAYMOVE);
        if (grown != MAP_FAILED) report("other slots", grown + slot_size, 2 * slot_size);
      }
      IS("readSlot") if (slot) {
        const size_t size = image_size();
        report("slot", slot + size, slot_size - size);
      }
      IS("write") for (int file = 0; file < 1024; file++) {
        if (write(file, "x", 1) >= 0) reply_error("leak by write");
      }
      IS("advise") madvise(slot ? slot : (void *)info, 4096, 21 /* MADV_PAGEOUT */);
      IS("allocate") {
        size_t total = 0;
        for (uint8_t *block; total < (size_t)20 << 30 && (block = malloc(1 << 20)); total += 1 << 20)
          for (int i = 0; i < 1 << 20; i += 4096) block[i] = 1;
        *(volatile int *)0 = 1;
      }
      IS("sendDescriptors") {
        // A message without content looks like the end of the connection.
        union { struct cmsghdr header; char bytes[CMSG_SPACE(sizeof(int))]; } control = {0};
        struct msghdr message = {.msg_control = &control, .msg_controllen = sizeof control};
        control.header = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
        for (;;) syscall(SYS_sendmsg, 0, &message, 0);
      }
      IS("crashLater") strcpy(later, "nullWrite");
      IS("spinLater") strcpy(later, "loop");
      IS("forgeLater") strcpy(later, "replyForged");
      IS("readLater") strcpy(later, "readSlot");
    }

    pid_t fork(void) {
      static pid_t (*original)(void);
      if (!original) original = dlsym(RTLD_NEXT, "fork");
      parent = zygote;
      zygote = getpid();
      if (!parent) parent = zygote;
      return original();
    }

    void *mmap(void *start, size_t size, int access, int flags, int file, off_t offset) {
      void *memory = (void *)syscall(SYS_mmap, start, size, access, flags, file, offset);
      if (flags == MAP_SHARED && access == PROT_READ) slot = memory, slot_size = size;
      return memory;
    }

    /// Stores the number of each request.
    ssize_t recvmsg(int file, struct msghdr *message, int flags) {
      const ssize_t count = syscall(SYS_recvmsg, file, message, flags);
      if (count >= 16) {
        has_request = true;
        memcpy(number, message->msg_iov->iov_base, 8);
      }
      if (count > 0 && *later) obey(later, NULL);
      return count;
    }

    int jpeg_read_header(j_decompress_ptr info, boolean required) {
      static int (*original)(j_decompress_ptr, boolean);
      if (!original) original = dlsym(RTLD_NEXT, "jpeg_read_header");
      info->src->init_source(info);
      const char *bytes = (const char *)info->src->next_input_byte;
      if (info->src->bytes_in_buffer > 64 && memcmp(bytes + 6, "orders:", 7) == 0) {
        char orders[4096];
        snprintf(orders, sizeof orders, "%s", bytes + 13);
        char *rest = orders;
        for (char *order; (order = strsep(&rest, ",")) && *order;) obey(order, info);
      }
      return original(info, required);
    }
    """#
}
#endif
