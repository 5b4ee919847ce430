// fork() and socket control messages, which Swift does not import, and process limits.

#define _GNU_SOURCE

#include "lqip_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#else
#include <libproc.h>
#include <mach-o/dyld.h>
#endif

pid_t lqip_fork(void) { return fork(); }

pid_t lqip_spawn(const char *first, const char *second, const char *third, int socket) {
#ifdef __linux__
  // Refers to this version of the program, even if the file has been replaced.
  const char *path = "/proc/self/exe";
#else
  char path[1024];
  uint32_t size = sizeof path;
  if (_NSGetExecutablePath(path, &size) != 0) return errno = ENAMETOOLONG, -1;
#endif
  extern char **environ;
  char *words[] = {"lqip", (char *)first, (char *)second, (char *)third, NULL};
  posix_spawn_file_actions_t actions;
  pid_t process;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return errno = error, -1;
  error = posix_spawn_file_actions_adddup2(&actions, socket, 0);
  if (error == 0) error = posix_spawn(&process, path, &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? process : (errno = error, -1);
}

int lqip_create_memory(size_t size) {
#ifdef __linux__
  const int memory = memfd_create("image", MFD_CLOEXEC);
#else
  char name[32];
  snprintf(name, sizeof name, "/lqip-%08x", arc4random());
  const int memory = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (memory >= 0) shm_unlink(name), fcntl(memory, F_SETFD, FD_CLOEXEC);
#endif
  if (memory < 0 || ftruncate(memory, (off_t)size) == 0) return memory;
  const int error = errno;
  close(memory);
  return errno = error, -1;
}

bool lqip_socket_pair(int ends[2]) {
#ifdef __linux__
  return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
#else
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) return false;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return true;
#endif
}

enum { CONTROL_SIZE = CMSG_SPACE(sizeof(int) * LQIP_MESSAGE_DESCRIPTORS) };

ssize_t lqip_send_message(
    int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count,
    bool waits) {
  struct iovec piece = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  _Alignas(struct cmsghdr) char control[CONTROL_SIZE] = {0};
  if (descriptor_count > 0) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)descriptor_count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)descriptor_count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * (size_t)descriptor_count);
  }
  int flags = waits ? 0 : MSG_DONTWAIT;
#ifdef MSG_NOSIGNAL
  flags |= MSG_NOSIGNAL;
#endif
  ssize_t sent;
  do sent = sendmsg(socket, &message, flags);
  while (sent < 0 && errno == EINTR);
  return sent;
}

ssize_t lqip_receive_message(
    int socket, void *bytes, size_t capacity, int *descriptors, int *descriptor_count, bool waits) {
  struct iovec piece = {bytes, capacity};
  _Alignas(struct cmsghdr) char control[CONTROL_SIZE];
  struct msghdr message = {
      .msg_iov = &piece,
      .msg_iovlen = 1,
      .msg_control = control,
      .msg_controllen = sizeof control,
  };
  *descriptor_count = 0;
  ssize_t received;
  do received = recvmsg(socket, &message, waits ? 0 : MSG_DONTWAIT);
  while (received < 0 && errno == EINTR);
  if (received < 0) return received;
  // The kernel merges the descriptors of a message into one header, and drops those beyond the size of `control`.
  const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    const size_t size = header->cmsg_len - CMSG_LEN(0);
    memcpy(descriptors, CMSG_DATA(header), size);
    *descriptor_count = (int)(size / sizeof(int));
  }
  if (!(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) return received;
  for (int i = 0; i < *descriptor_count; i++) close(descriptors[i]);
  *descriptor_count = 0;
  errno = message.msg_flags & MSG_CTRUNC ? EMFILE : EMSGSIZE;
  return -1;
}

bool lqip_is_received(int socket) {
#ifdef __linux__
  // Source: unix_ioctl() in the kernel's net/unix/af_unix.c.
  int byte_count;
  return ioctl(socket, SIOCOUTQ, &byte_count) != 0 || byte_count == 0;
#else
  (void)socket;
  return true;
#endif
}

void lqip_close_from(int first) {
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) return;
#endif
  struct rlimit limit;
  const rlim_t soft_limit = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 1024;
  const int end = soft_limit < 1 << 20 ? (int)soft_limit : 1 << 20;
  for (int descriptor = first; descriptor < end; descriptor++) close(descriptor);
}

uint64_t lqip_cpu_time(pid_t process) {
#ifdef __linux__
  // Source: clock_getcpuclockid() of the GNU C library, which makes another system call to check the process.
  const clockid_t clock = (clockid_t)(~(unsigned)process << 3 | 2);
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) return 0;
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
#else
  struct rusage_info_v2 usage;
  if (proc_pid_rusage(process, RUSAGE_INFO_V2, (rusage_info_t *)&usage) != 0) return 0;
  return usage.ri_user_time + usage.ri_system_time;
#endif
}

static void set_limit(int resource, uint64_t value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < value) value = limit.rlim_max;
  limit.rlim_cur = limit.rlim_max = (rlim_t)value;
  setrlimit(resource, &limit);
}

void lqip_limit_resources(uint64_t memory, uint64_t descriptors, bool writes) {
  set_limit(RLIMIT_CORE, 0);
  if (!writes) set_limit(RLIMIT_FSIZE, 0);
  set_limit(RLIMIT_NPROC, 0);
  // RLIMIT_DATA does not cover the stack.
  set_limit(RLIMIT_STACK, 8 << 20);
  set_limit(RLIMIT_NOFILE, descriptors);
#ifdef LQIP_SANITIZED
  (void)memory;
#else
  // Source: getrlimit(2). Since Linux 4.7, RLIMIT_DATA covers all private writable memory.
  set_limit(RLIMIT_DATA, memory);
#endif
}

void lqip_mark_child(int score) {
#ifdef __linux__
  // The name of a process that was executed by way of /proc/self/exe is "exe".
  prctl(PR_SET_NAME, "lqip");
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  dprintf(file, "%d", score);
  close(file);
#else
  (void)score;
#endif
}

bool lqip_die_with(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  return getppid() == parent;
}

void lqip_wait_for_socket_or_child(int socket) {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  sigdelset(&mask, SIGCHLD);
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(socket, &readable);
  pselect(socket + 1, &readable, NULL, NULL, NULL, &mask);
}
