#pragma once

#include <setjmp.h>
#include <sys/types.h>

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// The maximum number of frames counted in an animation.
enum { MAX_FRAMES = 1 << 16 };

enum { MESSAGE_SIZE = 200, MAX_STORED_WARNINGS = 8, MAX_STORED_DAMAGE = 8, WINDOW_SIZE = 1 << 16 };

/// A reader of one format. Its functions are called by the entry points of the codec, and jump if they fail.
typedef struct {
  /// The size of the reader, which is cleared before `open` is called.
  size_t size;
  /// Reads `codec->header`, `color` and `exif`, and starts decoding. By default, an image is not scaled.
  void (*open)(lqip_codec *codec);
  /// Reads the next row; returns false after the last row, once the rest of the file is read.
  bool (*read_row)(lqip_codec *codec, uint8_t *samples, lqip_row *row);
  /// Releases what the reader owns; `open` may have failed at any point.
  void (*close)(void *reader);
  /// Whether a lenient decode ends without an error where damage starts. libjpeg itself continues after damage.
  bool recovers;
} codec_format;

extern const codec_format jpeg_format, png_format, webp_format, gif_format;

struct lqip_codec {
  /// The jump target that each entry point sets before it calls a function that can fail.
  jmp_buf entry;
  /// The target of the next jump: `entry`, except in a callback from giflib.
  jmp_buf *failed;
  const codec_format *_Nullable format;
  void *_Nullable reader;
  lqip_header header;
  lqip_color color;
  lqip_bytes exif;
  /// The maximum number of pixels of the format.
  uint64_t max_pixels;
  lqip_status status;
  int error_number;
  char message[MESSAGE_SIZE];
  /// The distinct warnings. The last `MAX_STORED_DAMAGE` entries are reserved for damage that a lenient decode reports.
  char warnings[MAX_STORED_WARNINGS + MAX_STORED_DAMAGE][MESSAGE_SIZE];
  int stored_warnings;
  int seen_warnings;
  /// Whether data is missing or damaged, without failing the decode.
  bool is_incomplete;
  /// Whether the rest of the file is not read, and may be missing.
  bool leaves_rest;
  /// Whether a lenient decode has already failed. It recovers from the first failure only.
  bool had_failure;
  uint32_t frame_count;
  lqip_limits limits;
  /// The CPU time and the wall time at the start of the decode, in nanoseconds.
  uint64_t cpu_start;
  uint64_t wall_start;
  /// The wall time at which the CPU time is checked next, in nanoseconds.
  uint64_t next_cpu_check;

  /// The unconsumed bytes of the current window.
  const uint8_t *_Nullable next;
  size_t available;
  bool at_end;
  const uint8_t *_Nullable memory;
  size_t memory_left;
  int descriptor;
  uint8_t *_Nullable window;
  /// The buffer for looking ahead. Until the bytes that it keeps are consumed, `memory` points into the buffer.
  uint8_t *_Nullable ahead;

  /// The complete image in memory, to which `codec_rewind` returns.
  const uint8_t *_Nullable memory_start;
  size_t memory_size;
  /// Whether the descriptor refers to a regular file, which is read with `pread`.
  bool is_file;
  off_t file_start;
  off_t file_offset;
  off_t file_end;
};

/// Fails the current entry point: stores the status and a copy of the message, then jumps.
_Noreturn void codec_fail(lqip_codec *codec, lqip_status status, const char *message);

/// Fails because of damage, with `LQIP_TRUNCATED` if the end of the data was reached, otherwise `LQIP_CORRUPT`.
_Noreturn void codec_fail_damaged(lqip_codec *codec, const char *message);

_Noreturn void codec_fail_out_of_memory(lqip_codec *codec);

/// Allocates memory, or changes the size of an allocation; fails if there is not enough memory.
void *codec_allocate(lqip_codec *codec, void *_Nullable memory, size_t size);

/// Stores a warning; fails if the limit on warnings is exceeded.
void codec_warn(lqip_codec *codec, const char *message);

/// Reports damage: stores a warning in a lenient decode, and fails otherwise.
void codec_damage(lqip_codec *codec, const char *message);

/// Loads the next window of bytes; returns false at the end of the data.
bool codec_fill(lqip_codec *codec);

/// Copies and consumes up to `count` bytes, or skips them if `bytes` is null.
///
/// Returns the number of bytes consumed, which is less than `count` only at the end of the data.
size_t codec_read(lqip_codec *codec, uint8_t *_Nullable bytes, size_t count);

/// Counts a frame; returns false once `MAX_FRAMES` is reached, unless the rest of the file must be verified.
bool codec_count_frame(lqip_codec *codec);

/// Returns the number of bytes after the current window; `UINT64_MAX` if unknown, as for a pipe.
uint64_t codec_remaining(const lqip_codec *codec);

/// Returns bytes after the current window, from an offset on, without consuming them; none at the end of the data.
///
/// The bytes of a large file are read again when they are consumed; all others are kept in memory. The call invalidates
/// the bytes that earlier calls returned. Do not call it after `codec_fill` has loaded bytes that were kept.
lqip_bytes codec_look_ahead(lqip_codec *codec, size_t offset);

/// Returns whether the input is in memory or a regular file, so that `codec_rewind` can restart it.
bool codec_can_rewind(const lqip_codec *codec);

/// Returns whether the input ends with two bytes, without consuming them; false for a pipe.
bool codec_ends_with(const lqip_codec *codec, uint8_t first, uint8_t second);

/// Restarts at the first byte and discards all warnings.
void codec_rewind(lqip_codec *codec);

/// Starts measuring the time that the limits restrict.
void codec_start_clock(lqip_codec *codec);

/// Fails if a time limit is exceeded.
void codec_check_deadline(lqip_codec *codec);

/// Fails if an image has more than `max_pixels` pixels.
void codec_check_size(lqip_codec *codec, uint32_t width, uint32_t height);

/// Converts a row of 1-, 2-, 4- or 8-bit indices to samples: the first three or four samples of their colors.
void codec_expand_indices(
    const uint8_t (*colors)[4], const uint8_t *row, uint32_t width, uint32_t depth, size_t channels,
    uint8_t *samples);

/// The minimum length of the short side of a scaled image, in pixels.
enum { MIN_SHORT_SIDE = 256 };

/// Returns the largest power of two, at most `largest`, at which the short side has `MIN_SHORT_SIDE` pixels; otherwise 1.
int codec_scale(uint32_t width, uint32_t height, int largest);

#pragma clang assume_nonnull end
