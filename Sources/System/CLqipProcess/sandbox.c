// The sandbox of a worker process: a seccomp filter and a Landlock ruleset.

#define _GNU_SOURCE

#include "lqip_process.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(LQIP_SANITIZED)

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef __x86_64__
enum { ARCHITECTURE = AUDIT_ARCH_X86_64 };
#else
enum { ARCHITECTURE = AUDIT_ARCH_AARCH64 };
#endif

// Source: the kernel's Documentation/userspace-api/seccomp_filter.rst.
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define IF_EQUAL(value, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, otherwise)
#define ON(number, action) IF_EQUAL(number, 1), RETURN(action)
// Allows a system call only if the low word of an argument has this value.
#define ALLOW_ONLY(number, index, value, otherwise) \
  IF_EQUAL(number, 4), LOAD(args[index]), IF_EQUAL(value, 1), RETURN(SECCOMP_RET_ALLOW), \
      RETURN(otherwise)

/// The bit that is set in the system call numbers of the x32 ABI.
enum { X32_BIT = 0x40000000 };

/// The worker's only socket.
enum { CHANNEL = 0 };

// SECURITY.md explains each call.
static const struct sock_filter filter[] = {
    LOAD(arch),
    IF_EQUAL(ARCHITECTURE, 2),
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    ON(SYS_pread64, SECCOMP_RET_ALLOW),
    ON(SYS_close, SECCOMP_RET_ALLOW),
    ON(SYS_brk, SECCOMP_RET_ALLOW),
    ON(SYS_munmap, SECCOMP_RET_ALLOW),
    ON(SYS_rt_sigreturn, SECCOMP_RET_ALLOW),
    ON(SYS_exit, SECCOMP_RET_ALLOW),
    ON(SYS_exit_group, SECCOMP_RET_ALLOW),
    ALLOW_ONLY(SYS_recvmsg, 0, CHANNEL, SECCOMP_RET_KILL_PROCESS),
    ALLOW_ONLY(SYS_sendmsg, 0, CHANNEL, SECCOMP_RET_KILL_PROCESS),
    ALLOW_ONLY(SYS_futex, 1, FUTEX_WAKE_PRIVATE, SECCOMP_RET_KILL_PROCESS),
    ALLOW_ONLY(SYS_madvise, 2, MADV_DONTNEED, SECCOMP_RET_ERRNO | EINVAL),
    // Without mremap(), realloc() copies.
    ON(SYS_mremap, SECCOMP_RET_ERRNO | ENOMEM),
    // A crashing process calls write() for its message, and abort() calls tgkill(). Both fail with EPERM,
    // because killing the process would report the crash as SIGSYS.
    ON(SYS_write, SECCOMP_RET_ERRNO | EPERM),
    ON(SYS_tgkill, SECCOMP_RET_ERRNO | EPERM),
    // The clocks of other processes have negative numbers.
    IF_EQUAL(SYS_clock_gettime, 4),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, CLOCK_THREAD_CPUTIME_ID, 1, 0),
    RETURN(SECCOMP_RET_ALLOW),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    // Memory is private, which RLIMIT_DATA counts if it is writable, and not executable.
    IF_EQUAL(SYS_mmap, 6),
    LOAD(args[2]),
    IF_EQUAL(PROT_READ | PROT_WRITE, 4),
    LOAD(args[3]),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~(uint32_t)MAP_NORESERVE),
    IF_EQUAL(MAP_PRIVATE | MAP_ANONYMOUS, 1),
    RETURN(SECCOMP_RET_ALLOW),
    RETURN(SECCOMP_RET_KILL_PROCESS),
};

/// The kernel's `landlock_ruleset_attr`. Older headers lack the later members.
struct landlock_attributes {
  uint64_t handled_files;
  uint64_t handled_network;
  uint64_t scoped;
};

enum { LANDLOCK_CREATE = 444, LANDLOCK_RESTRICT = 446, LANDLOCK_VERSION = 1 };

/// Returns the Landlock version of the kernel; less than 1 if Landlock is unavailable.
static long landlock_version(void) {
  return syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION);
}

/// Denies access to files, ports and other processes, to the extent that the kernel's Landlock version allows.
///
/// Returns false if Landlock is unavailable.
static bool enter_landlock(void) {
  const long version = landlock_version();
  if (version < 1) return false;
  // Source: linux/landlock.h. The number of file access rights by ABI version.
  static const int file_rights[] = {13, 14, 15, 15, 16};
  const long known = version < 5 ? version : 5;
  const struct landlock_attributes attributes = {
      .handled_files = (UINT64_C(1) << file_rights[known - 1]) - 1,
      .handled_network = version >= 4 ? 3 : 0,
      .scoped = version >= 6 ? 3 : 0,
  };
  const size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const int rules = (int)syscall(LANDLOCK_CREATE, &attributes, size, 0);
  if (rules < 0) return false;
  const bool is_entered = syscall(LANDLOCK_RESTRICT, rules, 0) == 0;
  close(rules);
  return is_entered;
}

/// Gives up the privileges of root, except for its ownership of files.
static void drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
  syscall(SYS_capset, &header, none);
}

lqip_sandbox lqip_enter_sandbox(void) {
  lqip_sandbox sandbox = {0};
  drop_capabilities();
  prctl(PR_SET_DUMPABLE, 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    sandbox.error = errno;
    return sandbox;
  }
  sandbox.has_landlock = enter_landlock();
  const struct sock_fprog program = {
      sizeof filter / sizeof *filter, (struct sock_filter *)filter};
  sandbox.has_seccomp = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  if (!sandbox.has_seccomp) sandbox.error = errno;
  return sandbox;
}

lqip_sandbox lqip_probe_sandbox(void) {
  lqip_sandbox sandbox = {.has_landlock = landlock_version() > 0};
  // Source: PR_SET_SECCOMP(2const). Without a program, the call fails with EFAULT where filters are available.
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL);
  sandbox.has_seccomp = errno == EFAULT;
  if (!sandbox.has_seccomp) sandbox.error = errno;
  return sandbox;
}

#else

lqip_sandbox lqip_enter_sandbox(void) { return (lqip_sandbox){.error = ENOSYS}; }

lqip_sandbox lqip_probe_sandbox(void) { return lqip_enter_sandbox(); }

#endif
