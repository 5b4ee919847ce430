// The input of a codec: bytes in memory, or windows of a file or a pipe; and the deadline, also for waiting.

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "codec.h"

// Deadline

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool has_deadline(const lqip_limits *limits) {
  return limits->max_cpu_time < UINT64_MAX || limits->max_wall_time < UINT64_MAX;
}

void codec_start_clock(lqip_codec *codec) {
  if (!has_deadline(&codec->limits)) return;
  codec->cpu_start = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
  codec->wall_start = nanoseconds(CLOCK_MONOTONIC);
}

void codec_check_deadline(lqip_codec *codec) {
  // A worker process runs without time limits here, because its parent enforces them.
  if (!has_deadline(&codec->limits)) return;
  const uint64_t now = nanoseconds(CLOCK_MONOTONIC);
  bool is_over = now - codec->wall_start >= codec->limits.max_wall_time;
  // Reading the CPU time takes a system call. The CPU time of a thread never exceeds its wall time, so one check per
  // millisecond is enough.
  if (now >= codec->next_cpu_check) {
    codec->next_cpu_check = now + 1000000;
    const uint64_t cpu_time = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - codec->cpu_start;
    is_over = is_over || cpu_time >= codec->limits.max_cpu_time;
  }
  if (is_over) codec_fail(codec, LQIP_TIMED_OUT, "the deadline passed");
}

// Reading

_Noreturn static void fail_unreadable(lqip_codec *codec) {
  codec->error_number = errno;
  codec_fail(codec, LQIP_UNREADABLE, lqip_error_text(errno));
}

/// Waits until the descriptor is readable; fails at the deadline.
static void wait_for_bytes(lqip_codec *codec) {
  struct pollfd polled = {codec->descriptor, POLLIN, 0};
  for (;;) {
    codec_check_deadline(codec);
    const uint64_t waited = nanoseconds(CLOCK_MONOTONIC) - codec->wall_start;
    const uint64_t most = codec->limits.max_wall_time;
    // Rounded up, so that the deadline has passed when poll() times out.
    const uint64_t milliseconds = (waited < most ? most - waited : 0) / 1000000 + 1;
    const int result = poll(&polled, 1, milliseconds < INT_MAX ? (int)milliseconds : INT_MAX);
    if (result > 0) return;
    if (result < 0 && errno != EINTR) fail_unreadable(codec);
  }
}

/// Reads up to `count` bytes; returns 0 at the end of the data.
static size_t read_some(lqip_codec *codec, uint8_t *bytes, size_t count) {
  // Reading from a pipe or a socket can block.
  const bool may_wait = !codec->is_file && codec->limits.max_wall_time < UINT64_MAX;
  for (;;) {
    if (may_wait) wait_for_bytes(codec);
    const ssize_t result = codec->is_file
                               ? pread(codec->descriptor, bytes, count, codec->file_offset)
                               : read(codec->descriptor, bytes, count);
    if (result >= 0) {
      codec->file_offset += result;
      return (size_t)result;
    }
    if (errno == EAGAIN) {
      wait_for_bytes(codec);
    } else if (errno != EINTR) {
      fail_unreadable(codec);
    }
  }
}

/// Reads `count` bytes, or fewer at the end of the data; returns the number of bytes read.
static size_t read_fully(lqip_codec *codec, uint8_t *bytes, size_t count) {
  size_t total = 0, added;
  while (total < count && (added = read_some(codec, bytes + total, count - total)) > 0)
    total += added;
  return total;
}

/// Fills the complete window unless the data ends; a partial window could split a signature.
///
/// Returns the number of bytes in the window.
static size_t read_window(lqip_codec *codec) {
  codec->next = codec->window;
  return read_fully(codec, codec->window, WINDOW_SIZE);
}

/// Advances to the next window of the bytes in memory, and returns its size. `codec_fill` checks the deadline between
/// windows.
static size_t next_window(lqip_codec *codec) {
  size_t count = codec->memory_left < WINDOW_SIZE ? codec->memory_left : WINDOW_SIZE;
  codec->next = codec->memory;
  codec->memory += count;
  codec->memory_left -= count;
  return count;
}

bool codec_fill(lqip_codec *codec) {
  codec_check_deadline(codec);
  // Bytes read ahead come before the next read from the descriptor.
  const bool reads = codec->window && codec->memory_left == 0;
  codec->available = reads ? read_window(codec) : next_window(codec);
  codec->at_end = codec->available == 0;
  return !codec->at_end;
}

size_t codec_read(lqip_codec *codec, uint8_t *bytes, size_t count) {
  size_t consumed = 0;
  while (consumed < count) {
    if (codec->available == 0 && !codec_fill(codec)) break;
    const size_t piece = count - consumed < codec->available ? count - consumed : codec->available;
    if (bytes) memcpy(bytes + consumed, codec->next, piece);
    codec->next += piece;
    codec->available -= piece;
    consumed += piece;
  }
  return consumed;
}

uint64_t codec_remaining(const lqip_codec *codec) {
  if (!codec->window) return codec->memory_left;
  if (!codec->is_file) return UINT64_MAX;
  const off_t rest = codec->file_end - codec->file_offset;
  return rest > 0 ? (uint64_t)rest : 0;
}

/// The number of bytes that are read ahead at a time. If more of a file is left, they are read again for decoding.
enum { PIECE_SIZE = 1 << 18 };

/// Keeps the next `count` bytes, or fewer at the end of the data, until they are consumed.
static void keep_ahead(lqip_codec *codec, size_t count) {
  if (codec->memory_left > 0) memmove(codec->ahead, codec->memory, codec->memory_left);
  codec->memory = codec->ahead = codec_allocate(codec, codec->ahead, count);
  const uint64_t remaining = codec_remaining(codec);
  const size_t missing = count - codec->memory_left;
  codec->memory_left += read_fully(
      codec, codec->ahead + codec->memory_left, missing < remaining ? missing : (size_t)remaining);
}

/// Returns a piece of the file after the current window, from an offset on.
static lqip_bytes read_piece(lqip_codec *codec, size_t offset) {
  const uint64_t remaining = codec_remaining(codec);
  const uint64_t left = remaining < offset ? 0 : remaining - offset;
  const size_t count = left < PIECE_SIZE ? (size_t)left : PIECE_SIZE;
  codec->ahead = codec_allocate(codec, codec->ahead, PIECE_SIZE);
  const off_t start = codec->file_offset;
  codec->file_offset += (off_t)offset;
  const lqip_bytes piece = {codec->ahead, read_fully(codec, codec->ahead, count)};
  codec->file_offset = start;
  return piece;
}

lqip_bytes codec_look_ahead(lqip_codec *codec, size_t offset) {
  if (codec->window && codec->is_file && codec_remaining(codec) > PIECE_SIZE)
    return read_piece(codec, offset);
  if (codec->window && codec->memory_left <= offset)
    keep_ahead(codec, offset == 0 ? PIECE_SIZE : 2 * offset);
  if (offset >= codec->memory_left) return (lqip_bytes){0};
  return (lqip_bytes){codec->memory + offset, codec->memory_left - offset};
}

bool codec_ends_with(const lqip_codec *codec, uint8_t first, uint8_t second) {
  uint8_t end[2] = {0};
  const off_t size = (off_t)sizeof end;
  if (codec->is_file && codec->file_end - codec->file_start >= size) {
    if (pread(codec->descriptor, end, sizeof end, codec->file_end - size) != size) return false;
  } else if (!codec->window && codec->memory_size >= sizeof end) {
    memcpy(end, codec->memory_start + codec->memory_size - size, sizeof end);
  }
  return end[0] == first && end[1] == second;
}

bool codec_can_rewind(const lqip_codec *codec) { return !codec->window || codec->is_file; }

void codec_rewind(lqip_codec *codec) {
  codec->memory = codec->memory_start;
  codec->memory_left = codec->memory_size;
  codec->file_offset = codec->file_start;
  codec->available = 0;
  codec->stored_warnings = codec->seen_warnings = 0;
  codec->is_incomplete = false;
  codec_fill(codec);
}
