#ifndef LQIP_CODEC_H
#define LQIP_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Why a call failed.
typedef enum __attribute__((enum_extensibility(closed))) {
  LQIP_SUCCESS,
  /// A kind of image that the codec does not read, though it may be whole.
  LQIP_UNSUPPORTED,
  LQIP_CORRUPT,
  LQIP_TRUNCATED,
  LQIP_TOO_LARGE,
  LQIP_TIMED_OUT,
  LQIP_UNREADABLE,
  LQIP_OUT_OF_MEMORY,
  /// The library that the codec needs is not there, or not now.
  LQIP_NOT_LOADED,
} lqip_status;

/// The most frames of an animation that are counted.
enum { LQIP_MAX_FRAMES = 1 << 16 };

/// What one decode may cost; checked between header and pixels, and while reading.
typedef struct {
  uint64_t max_jpeg_pixels;
  uint64_t max_png_pixels;
  uint64_t max_webp_pixels;
  uint64_t max_gif_pixels;
  size_t max_memory;
  int max_scans;
  int max_warnings;
  /// Nanoseconds of the thread's own time, and of the clock's, from the codec's creation on.
  uint64_t max_work;
  uint64_t max_wait;
  /// Read a file to its end, also where what is left of it is not needed.
  bool verifies;
  /// Take what could be decoded of a damaged image.
  bool lenient;
} lqip_limits;

/// What the header says, in the sample layout that rows will have.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// Samples a pixel: 1 gray, 2 gray and alpha, 3 RGB, 4 CMYK in a JPEG, else RGBA.
  int channels;
} lqip_header;

/// A run of bytes that belongs to a reader.
typedef struct {
  const uint8_t *_Nullable bytes;
  size_t count;
} lqip_bytes;

/// The bytes of one image, from memory or from a descriptor, and the state that all readers
/// share: the way out of a failing codec, its message, the warnings, the ceiling of work.
typedef struct lqip_codec lqip_codec;

/// Reads from memory, which must outlive the codec.
lqip_codec *_Nullable lqip_codec_create_with_bytes(
    const uint8_t *_Nullable bytes, size_t count, lqip_limits limits);

/// Reads from an open descriptor, from its current offset on, in pieces of 64 KiB.
lqip_codec *_Nullable lqip_codec_create_with_descriptor(int descriptor, lqip_limits limits);

/// Reads a file by `pread` alone, from one offset on; where it ends is asked of nobody.
lqip_codec *_Nullable lqip_codec_create_with_file(
    int descriptor, int64_t start, int64_t end, lqip_limits limits);

void lqip_codec_destroy(lqip_codec *codec);

/// Makes the first bytes of the image available, without consuming them.
bool lqip_codec_peek(lqip_codec *codec, lqip_bytes *first);

/// The reason of the last failure.
lqip_status lqip_codec_status(const lqip_codec *codec);
const char *lqip_codec_message(const lqip_codec *codec);

/// The system's error number, where the status is `LQIP_UNREADABLE`.
int lqip_codec_errno(const lqip_codec *codec);

/// The system's words for an error number.
const char *lqip_error_text(int number);

/// Begins to watch whether this thread asks for memory that it does not get: some libraries say no more than that
/// they have failed.
void lqip_watch_memory(void);

/// Whether it did so, where something has failed since.
bool lqip_lacked_memory(void);

/// The distinct warnings so far, and how many of them were kept.
int lqip_codec_warning_count(const lqip_codec *codec);
const char *lqip_codec_warning(const lqip_codec *codec, int index);

#pragma clang assume_nonnull end

#endif
