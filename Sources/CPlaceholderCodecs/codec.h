#ifndef CODEC_H
#define CODEC_H

#include <setjmp.h>
#include <sys/types.h>

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

enum { MESSAGE_SIZE = 200, KEPT_WARNINGS = 8, KEPT_DAMAGES = 8, WINDOW_SIZE = 1 << 16 };

struct lqip_codec {
  /// Armed by every entry point of a reader before it calls its library.
  jmp_buf failed;
  lqip_status status;
  int error_number;
  char message[MESSAGE_SIZE];
  /// The last places are for what a lenient decode has to tell.
  char warnings[KEPT_WARNINGS + KEPT_DAMAGES][MESSAGE_SIZE];
  int kept_warnings;
  int seen_warnings;
  /// A lenient decode has failed once; it goes on no second time.
  bool is_cut;
  lqip_limits limits;
  /// When work began, on both clocks.
  uint64_t work_start;
  uint64_t wait_start;
  /// When the thread's clock is looked at again.
  uint64_t next_look;

  /// The bytes not yet handed to a library.
  const uint8_t *_Nullable next;
  size_t available;
  bool at_end;
  const uint8_t *_Nullable memory;
  size_t memory_left;
  int descriptor;
  uint8_t *_Nullable window;
  /// Bytes read ahead of the library; `memory` points into it until they are used up.
  uint8_t *_Nullable ahead;

  /// Where the image begins.
  const uint8_t *_Nullable memory_start;
  size_t memory_size;
  /// Whether the descriptor is a file, which is read at offsets of our own.
  bool is_file;
  off_t file_start;
  off_t file_offset;
  off_t file_end;
};

/// Ends the current entry point. The caller's message is copied.
_Noreturn void codec_fail(lqip_codec *codec, lqip_status status, const char *message);

/// Damage in the data: its end, if that was reached, or else corruption.
_Noreturn void codec_fail_damaged(lqip_codec *codec, const char *message);

/// Bytes could not be read, as `errno` says.
_Noreturn void codec_fail_unreadable(lqip_codec *codec);

/// Keeps a message for the record; too many warnings are a failure.
void codec_warn(lqip_codec *codec, const char *message);

/// Lost pixels: a failure, or in a lenient decode a warning.
void codec_damage(lqip_codec *codec, const char *message);

/// Whether a lenient decode can live with the last failure, which becomes a warning: what came before it is worth
/// something. It can do so once.
bool codec_survives(lqip_codec *codec);

/// Replaces the used-up window by the next one; false at the end of the data.
bool codec_fill(lqip_codec *codec);

/// Takes some bytes, or skips them; fewer at the end of the data.
size_t codec_take(lqip_codec *codec, uint8_t *_Nullable bytes, size_t count);

/// Adds a frame to those counted; false once they are so many that what follows is passed over.
bool codec_count_frame(const lqip_codec *codec, uint32_t *count);

/// How many bytes come after those that a library has; `UINT64_MAX` where that cannot be told, as of a pipe.
uint64_t codec_rest(const lqip_codec *codec);

/// The bytes after those that a library has, which come once more; fewer at the end of the data.
lqip_bytes codec_look_ahead(lqip_codec *codec, size_t count);

/// Whether the bytes can be read a second time; those of a pipe cannot.
bool codec_can_rewind(const lqip_codec *codec);

/// Begins again with the first byte, and without a warning.
void codec_rewind(lqip_codec *codec);

/// How many nanoseconds may still pass by the clock.
uint64_t codec_wait_left(const lqip_codec *codec);

void codec_check_deadline(lqip_codec *codec);
void codec_check_size(
    lqip_codec *codec, uint32_t width, uint32_t height, uint64_t max_pixels);

#pragma clang assume_nonnull end

#endif
