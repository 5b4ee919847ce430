#pragma once

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// A reader that decodes a PNG image to 8-bit gray or RGB, with or without alpha.
///
/// libpng parses the file. A faster path, which does not detect where damage starts, decodes the rows of common images
/// unless `exact`, `verifies` or `lenient` is set.
typedef struct lqip_png_reader lqip_png_reader;

/// The color information of the file. `icc_profile` is valid until the next row is read.
typedef struct {
  bool has_srgb;
  bool has_gamma;
  bool has_chromaticities;
  bool has_coding;
  /// The encoding exponent in the gAMA chunk, usually 0.45455.
  double gamma;
  /// The chromaticities, x and y, in the cHRM chunk.
  double white[2], red[2], green[2], blue[2];
  /// The cICP chunk: primaries, transfer function, matrix and range.
  uint8_t coding[4];
  /// The profile in the iCCP chunk; empty if there is none.
  lqip_bytes icc_profile;
} lqip_png_color;

lqip_png_reader *_Nullable lqip_png_reader_open(lqip_codec *codec, lqip_header *header);
void lqip_png_reader_destroy(lqip_png_reader *reader);

lqip_png_color lqip_png_reader_color(const lqip_png_reader *reader);

/// Returns the TIFF data of the eXIf chunk; empty if there is none.
lqip_bytes lqip_png_reader_exif(const lqip_png_reader *reader);

/// Reads the next row of the image, or of a pass if the image is interlaced.
bool lqip_png_reader_read_row(
    lqip_png_reader *reader, uint8_t *samples, lqip_row *row, bool *has_row);

/// Encodes an image of 8-bit RGB or RGBA samples as PNG; returns null if an allocation fails.
///
/// With `is_small`, the file has no optional chunks and is compressed at the highest level, which takes about ten times
/// as long. Release the file with `lqip_png_free`.
uint8_t *_Nullable lqip_png_write(
    const uint8_t *samples, uint32_t width, uint32_t height, bool has_alpha, bool is_small,
    size_t *count);

void lqip_png_free(uint8_t *file);

#pragma clang assume_nonnull end
