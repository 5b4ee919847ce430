#ifndef LQIP_PROCESS_H
#define LQIP_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The runtimes of the sanitizers make system calls that the sandbox denies, and reserve terabytes of memory.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LQIP_SANITIZED
#endif

#pragma clang assume_nonnull begin

/// The maximum number of descriptors per message.
enum { LQIP_MESSAGE_DESCRIPTORS = 16 };

/// Calls `fork`, which Swift does not import.
pid_t lqip_fork(void);

/// Executes this program in a new process, with up to three arguments and a duplicate of `socket` as standard input.
///
/// Returns the process ID, or -1 with `errno` set.
pid_t lqip_spawn(const char *first, const char *second, const char *third, int socket);

/// Creates two connected sockets that preserve message boundaries.
///
/// Returns false with `errno` set on failure.
bool lqip_socket_pair(int ends[_Nonnull 2]);

/// Sends one message with descriptors, and blocks if `waits` is true.
///
/// Where `MSG_NOSIGNAL` exists, a closed peer causes only `EPIPE`, not SIGPIPE.
///
/// Returns the length of the message, or -1 with `errno` set.
ssize_t lqip_send_message(
    int socket, const void *bytes, size_t count, const int *_Nullable descriptors,
    int descriptor_count, bool waits);

/// Receives one message and up to `LQIP_MESSAGE_DESCRIPTORS` descriptors, and blocks if `waits` is true.
///
/// Returns the length of the message, 0 at the end of the connection, or -1 with `errno` set. `errno` is
/// `EMSGSIZE` if the message exceeds `capacity`, and `EMFILE` if descriptors were lost.
ssize_t lqip_receive_message(
    int socket, void *bytes, size_t capacity, int *descriptors, int *descriptor_count, bool waits);

/// Returns whether the other end has received all messages; true where this is unknown (not on Linux).
bool lqip_is_received(int socket);

/// Closes all descriptors greater than or equal to `first`.
void lqip_close_from(int first);

/// Creates an anonymous memory object of `size` bytes, to be mapped by processes that receive its descriptor.
///
/// Returns the descriptor, or -1 with `errno` set.
int lqip_create_memory(size_t size);

/// Returns the CPU time of another process in nanoseconds, or 0 if it is unknown.
uint64_t lqip_cpu_time(pid_t process);

/// The active layers of a worker's sandbox.
typedef struct {
  bool has_seccomp;
  bool has_landlock;
  /// The `errno` value of the call that failed if seccomp is unavailable, or `ENOSYS` on platforms without seccomp and
  /// in a sanitized build; otherwise 0.
  int error;
} lqip_sandbox;

/// Sets the name of this process, and makes the kernel kill it before others if memory is exhausted (Linux only).
///
/// `score` is 0 to 1000; the process with the highest score is killed first.
void lqip_mark_child(int score);

/// Irrevocably drops all privileges that a worker does not need for decoding.
lqip_sandbox lqip_enter_sandbox(void);

/// Returns the result that `lqip_enter_sandbox` would have, without entering the sandbox.
lqip_sandbox lqip_probe_sandbox(void);

/// Limits private memory to `memory` bytes and the number of open descriptors to `descriptors`.
///
/// Also disables forking, core dumps and, unless `writes` is true, writing to files. A sanitized build has no limit
/// on memory.
void lqip_limit_resources(uint64_t memory, uint64_t descriptors, bool writes);

/// Arranges for this process to be killed when its parent exits (Linux only). Returns false if the parent has
/// already exited.
bool lqip_die_with(pid_t parent);

/// Waits until a socket is readable or a child process has exited.
///
/// The caller must have blocked SIGCHLD and installed a handler for it. Otherwise, a SIGCHLD that arrives before
/// the wait is lost.
void lqip_wait_for_socket_or_child(int socket);

#pragma clang assume_nonnull end

#endif
