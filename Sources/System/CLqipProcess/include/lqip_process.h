#ifndef LQIP_PROCESS_H
#define LQIP_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// The most descriptors of one message.
enum { LQIP_MESSAGE_DESCRIPTORS = 16 };

/// The words of the command line, the program's name first; null where only Swift's runtime has them, which
/// reads them from /proc.
char *_Nullable *_Nullable lqip_arguments(int *count);

/// The C function, which Swift does not import.
pid_t lqip_fork(void);

/// Connects two sockets that keep the bounds of messages; false with `errno` set.
bool lqip_socket_pair(int ends[_Nonnull 2]);

/// Sends one message with descriptors, without a signal if nobody reads.
///
/// Returns its length, or -1 with `errno` set.
ssize_t lqip_send_message(
    int socket, const void *bytes, size_t count, const int *_Nullable descriptors,
    int descriptor_count, bool waits);

/// Receives one message and up to `LQIP_MESSAGE_DESCRIPTORS` descriptors.
///
/// Returns its length, 0 at the end, or -1 with `errno` set: `EMSGSIZE` if it did not fit.
ssize_t lqip_receive_message(
    int socket, void *bytes, size_t capacity, int *_Nullable descriptors, int *descriptor_count,
    bool waits);

/// Closes all descriptors from one on.
void lqip_close_from(int first);

/// Reads and writes a word that two processes share.
static inline uint64_t lqip_load_shared(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline void lqip_store_shared(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// The processor time of another process in nanoseconds; 0 if it is unknown.
uint64_t lqip_processor_time(pid_t process);

/// The layers of the sandbox that a worker has entered.
enum {
  LQIP_SANDBOX_LIMITS = 1,
  LQIP_SANDBOX_SECCOMP = 2,
  LQIP_SANDBOX_LANDLOCK = 4,
};

/// Gives up every right that decoding does not need; it cannot be undone.
///
/// Returns the layers that hold. If seccomp is refused, `error` is the system's number for the
/// reason, or `ENOSYS` where the system has none.
int lqip_enter_sandbox(int *error);

/// Bounds what the process may use: bytes of private memory and open descriptors; it may start no process, leave no
/// core and, unless it writes its errors to one, write no file.
void lqip_limit_resources(uint64_t memory, uint64_t descriptors, bool writes);

/// Ends the process when its parent ends; false if that has happened already.
bool lqip_die_with(pid_t parent);

/// Waits until a socket can be read or a child has ended; `SIGCHLD` must be blocked otherwise.
void lqip_wait_for_socket_or_child(int socket);

#pragma clang assume_nonnull end

#endif
