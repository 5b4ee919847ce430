// Reads the bytes of an image from memory or from a descriptor.

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec.h"

/// Waits until the descriptor is readable; fails at the deadline.
static void wait_for_bytes(lqip_codec *codec) {
  struct pollfd polled = {codec->descriptor, POLLIN, 0};
  for (;;) {
    codec_check_deadline(codec);
    // Rounded up, so that the deadline has passed when poll() times out.
    const uint64_t milliseconds = codec_wall_time_left(codec) / 1000000 + 1;
    const int result = poll(&polled, 1, milliseconds < INT_MAX ? (int)milliseconds : INT_MAX);
    if (result > 0) return;
    if (result < 0 && errno != EINTR) codec_fail_unreadable(codec);
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
      codec_fail_unreadable(codec);
    }
  }
}

/// Fills the complete window unless the data ends; a partial window could split a signature.
///
/// Returns the number of bytes in the window.
static size_t read_window(lqip_codec *codec) {
  size_t count = 0;
  while (count < WINDOW_SIZE) {
    const size_t added = read_some(codec, codec->window + count, WINDOW_SIZE - count);
    if (added == 0) break;
    count += added;
  }
  codec->next = codec->window;
  return count;
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

lqip_bytes codec_read_ahead(lqip_codec *codec, size_t count) {
  if (codec->window && codec->memory_left < count) {
    if (codec->memory_left > 0) memmove(codec->ahead, codec->memory, codec->memory_left);
    uint8_t *const ahead = realloc(codec->ahead, count);
    if (!ahead) codec_fail(codec, LQIP_OUT_OF_MEMORY, "out of memory");
    codec->memory = codec->ahead = ahead;
    while (codec->memory_left < count) {
      const size_t added =
          read_some(codec, ahead + codec->memory_left, count - codec->memory_left);
      if (added == 0) break;
      codec->memory_left += added;
    }
  }
  return (lqip_bytes){codec->memory, count < codec->memory_left ? count : codec->memory_left};
}

bool codec_can_rewind(const lqip_codec *codec) { return !codec->window || codec->is_file; }

void codec_rewind(lqip_codec *codec) {
  codec->memory = codec->memory_start;
  codec->memory_left = codec->memory_size;
  codec->file_offset = codec->file_start;
  codec->available = 0;
  codec->stored_warnings = codec->seen_warnings = 0;
  codec_fill(codec);
}
