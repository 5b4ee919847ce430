#ifndef LQIP_PNG_H
#define LQIP_PNG_H

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// Reads one PNG image, row by row, as 8-bit gray or RGB with or without alpha.
///
/// libpng parses the file; rows of common images are decoded by a faster path.
///
/// Every call arms its own way out of libpng, so that no jump crosses another language's frames.
/// A false result leaves the reason in the codec; the reader is then good for nothing but destroying.
typedef struct lqip_png_reader lqip_png_reader;

/// How the file describes its colors.
typedef struct {
  bool has_srgb;
  bool has_gamma;
  bool has_chromaticities;
  bool has_coding;
  /// The encoding exponent.
  double gamma;
  /// x and y each.
  double white[2], red[2], green[2], blue[2];
  /// What a cICP chunk holds: primaries, transfer, matrix and range.
  uint8_t coding[4];
  /// What an iCCP chunk holds.
  lqip_bytes icc_profile;
} lqip_png_color;

/// A row of an image, or of one pass of an interlaced one.
typedef struct {
  uint32_t y;
  uint32_t first_x;
  uint32_t step_x;
  uint32_t count;
} lqip_png_row;

/// The codec must outlive the reader.
lqip_png_reader *_Nullable lqip_png_reader_create(lqip_codec *codec);
void lqip_png_reader_destroy(lqip_png_reader *reader);

/// Reads up to the pixels and checks the size.
bool lqip_png_reader_read_header(lqip_png_reader *reader, lqip_header *header);

/// Whether the image changes, or is the default one of an animation.
bool lqip_png_reader_is_animated(const lqip_png_reader *reader);

/// The frames that the file promises, LQIP_MAX_FRAMES at most; 0 of an image that is not animated.
uint32_t lqip_png_reader_frame_count(const lqip_png_reader *reader);

lqip_png_color lqip_png_reader_color(const lqip_png_reader *reader);

/// The TIFF data of the eXIf chunk.
lqip_bytes lqip_png_reader_exif(const lqip_png_reader *reader);

/// Leaves the rows to libpng as well, which tells best where damage begins.
///
/// Needed before a file is verified.
void lqip_png_reader_use_libpng(lqip_png_reader *reader);

/// Reads the next row into `samples`, which must hold a whole row of the image.
///
/// `has_row` is false after the last one, and in a lenient decode where the data ends.
bool lqip_png_reader_read_row(
    lqip_png_reader *reader, uint8_t *samples, lqip_png_row *row, bool *has_row);

/// Reads what is left of the file, for the damage that it may hold.
bool lqip_png_reader_verify(lqip_png_reader *reader);

/// Writes an RGB or RGBA image of 8 bits a sample as PNG into memory of its own, to be released with
/// `lqip_png_free`.
///
/// A small one has no chunk that does without, and takes some ten times as long. Null where memory runs out.
uint8_t *_Nullable lqip_png_write(
    const uint8_t *samples, uint32_t width, uint32_t height, bool has_alpha, bool is_small,
    size_t *count);

void lqip_png_free(uint8_t *file);

#pragma clang assume_nonnull end

#endif
