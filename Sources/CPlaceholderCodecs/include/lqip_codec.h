#ifndef LQIP_CODEC_H
#define LQIP_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The status of a codec: success, or the reason why a call failed.
typedef enum __attribute__((enum_extensibility(closed))) {
  LQIP_SUCCESS,
  /// A variant of the format that the codec does not support.
  LQIP_UNSUPPORTED,
  LQIP_CORRUPT,
  LQIP_TRUNCATED,
  LQIP_TOO_LARGE,
  LQIP_TIMED_OUT,
  LQIP_UNREADABLE,
  LQIP_OUT_OF_MEMORY,
  /// The library that the codec needs could not be loaded.
  LQIP_NOT_LOADED,
} lqip_status;

/// The maximum number of frames counted in an animation.
enum { LQIP_MAX_FRAMES = 1 << 16 };

/// The limits on decoding one image, and the options that all readers share.
typedef struct {
  uint64_t max_jpeg_pixels;
  uint64_t max_png_pixels;
  uint64_t max_webp_pixels;
  uint64_t max_gif_pixels;
  size_t max_memory;
  int max_scans;
  int max_warnings;
  /// The maximum CPU time and wall time in nanoseconds, from the creation of the codec; `UINT64_MAX` for no limit.
  uint64_t max_cpu_time;
  uint64_t max_wall_time;
  /// Whether to read the file to its end, even if the rest is not needed.
  bool verifies;
  /// Whether to return the intact part of a damaged image instead of failing.
  bool lenient;
} lqip_limits;

/// The size of an image, and the sample layout of its rows.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// Samples per pixel: 1 for gray, 2 for gray and alpha, 3 for RGB, 4 for CMYK (JPEG) or RGBA (other formats).
  int channels;
} lqip_header;

/// Bytes owned by a codec, a reader or the caller.
typedef struct {
  const uint8_t *_Nullable bytes;
  size_t count;
} lqip_bytes;

/// The input of one image, from memory or from a descriptor, and the state that all readers share: the jump target for
/// failures, the error message, the warnings and the limits.
typedef struct lqip_codec lqip_codec;

/// Creates a codec that reads from memory, which must outlive the codec. Like all functions that create an object, this
/// one returns null if an allocation fails.
lqip_codec *_Nullable lqip_codec_create_with_bytes(
    const uint8_t *_Nullable bytes, size_t count, lqip_limits limits);

/// Creates a codec that reads from an open descriptor at its current offset, in chunks of 64 KiB.
lqip_codec *_Nullable lqip_codec_create_with_descriptor(int descriptor, lqip_limits limits);

/// Creates a codec that reads a file from offset `start`, using no system call but `pread`; `end` is the file size.
lqip_codec *_Nullable lqip_codec_create_with_file(
    int descriptor, int64_t start, int64_t end, lqip_limits limits);

void lqip_codec_destroy(lqip_codec *codec);

/// Points `first` to the first bytes of the image, up to 64 KiB, without consuming them; returns false if a read fails.
bool lqip_codec_peek(lqip_codec *codec, lqip_bytes *first);

/// Returns the status of the last failure.
lqip_status lqip_codec_status(const lqip_codec *codec);
/// Returns the message of the last failure.
const char *lqip_codec_message(const lqip_codec *codec);

/// Returns the `errno` of the failed read if the status is `LQIP_UNREADABLE`.
int lqip_codec_errno(const lqip_codec *codec);

/// Returns the system's message for an error number.
const char *lqip_error_text(int number);

/// Clears this thread's `errno`, so that `lqip_has_allocation_error` can detect a failed allocation in a library that
/// does not report it.
void lqip_clear_allocation_error(void);

/// Returns whether `errno` is `ENOMEM`. Valid only after a library call has failed, because an allocation that succeeds
/// may leave any value in `errno`.
bool lqip_has_allocation_error(void);

/// Returns the number of distinct warnings stored so far.
int lqip_codec_warning_count(const lqip_codec *codec);
/// Returns the message of a stored warning.
const char *lqip_codec_warning(const lqip_codec *codec, int index);

#pragma clang assume_nonnull end

#endif
