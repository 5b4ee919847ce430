// Decodes the coded pictures of HEIC and AVIF images, one tile at a time. The container is read in Swift.

#pragma once

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// Reads up to `count` bytes at an offset from the start of the file; `read` is less than `count` only at its end.
///
/// Bytes of a pipe are kept in memory up to the furthest one that was read, at most `max_memory`. Do not call the
/// function on a codec that has a format.
bool lqip_codec_read_at(
    lqip_codec *codec, uint64_t offset, uint8_t *bytes, size_t count, size_t *read);

/// Fails if a time limit is exceeded.
bool lqip_codec_check_deadline(lqip_codec *codec);

typedef enum __attribute__((enum_extensibility(closed))) {
  LQIP_AV1,
  LQIP_HEVC,
} lqip_tile_codec;

/// The properties of a picture in its bitstream.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// Bits per sample: 8, 10 or 12.
  int depth;
  /// Whether there is only luma.
  bool is_gray;
  /// Whether chroma has half of the columns and half of the rows.
  bool halves_columns;
  bool halves_rows;
  /// The values of ITU-T H.273 for primaries, transfer function and matrix; 2 if they are unspecified.
  uint8_t primaries;
  uint8_t transfer;
  uint8_t matrix;
  bool is_full_range;
} lqip_tile;

/// A linear map from samples to three 8-bit colors, which are truncated.
typedef struct {
  float y[3], u[3], v[3], offset[3];
} lqip_tile_matrix;

/// Pixels of a decoded tile: `width` pixels of row `y`, or of two rows, starting in column `x`.
typedef struct {
  uint32_t x;
  uint32_t y;
  uint32_t width;
  /// 1, or 2 to combine each 2×2 pixels into one: the root mean square of luma, which nearly preserves its light, and
  /// the chroma that they share. 2 is allowed only if chroma has half of the rows and columns.
  uint32_t rows;
} lqip_tile_area;

typedef struct lqip_tile_decoder lqip_tile_decoder;

/// Returns whether the library of a codec was included in the build.
bool lqip_has_tile_codec(lqip_tile_codec codec);

/// Creates a decoder for tiles of at most `max_pixels` pixels, without threads. On Linux, the library is loaded on first
/// use; without it, and after a failed allocation, the result is null.
///
/// Unless `exact`, loop filters and film grain are skipped. They do not change the mean of a picture visibly.
lqip_tile_decoder *_Nullable lqip_tile_decoder_create(
    lqip_tile_codec codec, uint32_t max_pixels, bool exact, bool lenient);
void lqip_tile_decoder_destroy(lqip_tile_decoder *decoder);

/// Reads the first sequence header among the open bitstream units of AV1; returns false if there is none.
bool lqip_tile_describe_av1(const uint8_t *bytes, size_t count, lqip_tile *tile);

/// Decodes the first picture in a bitstream, which replaces the last one.
///
/// The bytes are open bitstream units of AV1, or HEVC units that are each preceded by their size in four bytes. `message`
/// is the reason of a failure, or the damage of a picture that a lenient decoder returns; else it is unchanged.
lqip_status lqip_tile_decoder_decode(
    lqip_tile_decoder *decoder, const uint8_t *bytes, size_t count, lqip_tile *tile,
    const char *_Nullable *_Nonnull message);

/// Converts pixels of the last picture to `channels` samples: 1 for gray, 3 for RGB, and one more with alpha.
///
/// `alpha` has the alpha of each pixel of the result, if it has alpha; if `is_premultiplied`, colors are divided by it.
///
/// Returns false if the area exceeds the picture.
bool lqip_tile_decoder_read(
    const lqip_tile_decoder *decoder, const lqip_tile_matrix *matrix, lqip_tile_area area,
    int channels, const uint8_t *_Nullable alpha, bool is_premultiplied, uint8_t *samples);

#pragma clang assume_nonnull end
