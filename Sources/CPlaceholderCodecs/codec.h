#ifndef CODEC_H
#define CODEC_H

#include <setjmp.h>
#include <sys/types.h>

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

enum { MESSAGE_SIZE = 200, KEPT_WARNINGS = 8, KEPT_DAMAGES = 8, WINDOW_SIZE = 1 << 16 };

struct lqip_codec {
  /// The jump target, which every entry point of a reader sets before it calls its library.
  jmp_buf failed;
  lqip_status status;
  int error_number;
  char message[MESSAGE_SIZE];
  /// The last `KEPT_DAMAGES` entries are reserved for the damage that a lenient decode reports.
  char warnings[KEPT_WARNINGS + KEPT_DAMAGES][MESSAGE_SIZE];
  int kept_warnings;
  int seen_warnings;
  /// Whether a lenient decode has already recovered from a failure, which it does only once.
  bool is_cut;
  lqip_limits limits;
  /// The start of the decode in CPU time and in wall time, in nanoseconds.
  uint64_t work_start;
  uint64_t wait_start;
  /// The wall time of the next check of the CPU time.
  uint64_t next_look;

  /// The current window: the bytes that no library has consumed yet.
  const uint8_t *_Nullable next;
  size_t available;
  bool at_end;
  const uint8_t *_Nullable memory;
  size_t memory_left;
  int descriptor;
  uint8_t *_Nullable window;
  /// The buffer of bytes read ahead; `memory` points into it until they are consumed.
  uint8_t *_Nullable ahead;

  /// The image in memory, for `codec_rewind`.
  const uint8_t *_Nullable memory_start;
  size_t memory_size;
  /// Whether the descriptor is a regular file, which is read with `pread`.
  bool is_file;
  off_t file_start;
  off_t file_offset;
  off_t file_end;
};

/// Fails the current entry point: stores the status and a copy of the message, then jumps.
_Noreturn void codec_fail(lqip_codec *codec, lqip_status status, const char *message);

/// Fails because of damage: truncation if the end of the data was reached, otherwise corruption.
_Noreturn void codec_fail_damaged(lqip_codec *codec, const char *message);

/// Fails because of a read error, with the current `errno`.
_Noreturn void codec_fail_unreadable(lqip_codec *codec);

/// Stores a warning; fails if the limit on warnings is exceeded.
void codec_warn(lqip_codec *codec, const char *message);

/// Reports lost pixels: a failure, or a warning in a lenient decode.
void codec_damage(lqip_codec *codec, const char *message);

/// Turns the last failure into a warning in a lenient decode, which keeps the rows before the damage.
///
/// Returns false if the decode is not lenient, if the failure is not damage, and after the first failure.
bool codec_survives(lqip_codec *codec);

/// Loads the next window of bytes; returns false at the end of the data.
bool codec_fill(lqip_codec *codec);

/// Copies and consumes up to `count` bytes, or skips them if `bytes` is null.
///
/// Returns the number of bytes consumed, which is less than `count` only at the end of the data.
size_t codec_take(lqip_codec *codec, uint8_t *_Nullable bytes, size_t count);

/// Counts a frame; returns false if the rest of the file can be skipped.
///
/// That is the case once `LQIP_MAX_FRAMES` is reached, unless the file is verified.
bool codec_count_frame(const lqip_codec *codec, uint32_t *count);

/// The number of bytes after the current window; `UINT64_MAX` if unknown, as for a pipe.
uint64_t codec_rest(const lqip_codec *codec);

/// Returns the bytes after the current window without consuming them; fewer at the end of the data.
lqip_bytes codec_look_ahead(lqip_codec *codec, size_t count);

/// Whether the input can be read again, which is false for a pipe.
bool codec_can_rewind(const lqip_codec *codec);

/// Restarts at the first byte and discards all warnings.
void codec_rewind(lqip_codec *codec);

/// The wall time left until the deadline, in nanoseconds.
uint64_t codec_wait_left(const lqip_codec *codec);

void codec_check_deadline(lqip_codec *codec);
void codec_check_size(
    lqip_codec *codec, uint32_t width, uint32_t height, uint64_t max_pixels);

#pragma clang assume_nonnull end

#endif
