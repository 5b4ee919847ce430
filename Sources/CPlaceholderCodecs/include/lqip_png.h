#ifndef LQIP_PNG_H
#define LQIP_PNG_H

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// A reader that decodes a PNG image row by row to 8-bit gray or RGB, with or without alpha.
///
/// libpng parses the file; a faster path decodes the rows of common images.
///
/// Every function sets its own jump target before it calls libpng, so no `longjmp` crosses a Swift stack frame.
/// After a function returns false, the codec holds the reason, and the reader can only be destroyed.
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

/// The position of a row of the image, or of a row of one pass if the image is interlaced: `count` pixels, `step_x`
/// columns apart, starting at `first_x`.
typedef struct {
  uint32_t y;
  uint32_t first_x;
  uint32_t step_x;
  uint32_t count;
} lqip_png_row;

/// Creates a reader, which the codec must outlive.
lqip_png_reader *_Nullable lqip_png_reader_create(lqip_codec *codec);
void lqip_png_reader_destroy(lqip_png_reader *reader);

/// Reads the header, up to the pixels, and checks the size.
bool lqip_png_reader_read_header(lqip_png_reader *reader, lqip_header *header);

/// Returns whether the file is an animation with frames other than the default image.
bool lqip_png_reader_is_animated(const lqip_png_reader *reader);

/// Returns the number of frames in the acTL chunk, at most `LQIP_MAX_FRAMES`; 0 if the chunk is missing or invalid.
uint32_t lqip_png_reader_frame_count(const lqip_png_reader *reader);

lqip_png_color lqip_png_reader_color(const lqip_png_reader *reader);

/// Returns the TIFF data of the eXIf chunk; empty if there is none.
lqip_bytes lqip_png_reader_exif(const lqip_png_reader *reader);

/// Makes the reader decode rows with libpng instead of the faster path, which does not detect where damage starts.
///
/// Call this function before the first row is read. It is required for a later call of `lqip_png_reader_verify`.
void lqip_png_reader_use_libpng(lqip_png_reader *reader);

/// Reads the next row into `samples`, which must have room for a full row of the image.
///
/// `has_row` is false after the last row and, in a lenient decode, at the end of truncated data.
bool lqip_png_reader_read_row(
    lqip_png_reader *reader, uint8_t *samples, lqip_png_row *row, bool *has_row);

/// Reads the rest of the file to detect damage.
bool lqip_png_reader_verify(lqip_png_reader *reader);

/// Encodes an image of 8-bit RGB or RGBA samples as PNG; returns null if an allocation fails.
///
/// With `is_small`, the file has no optional chunks and is compressed at the highest level, which takes about ten times
/// as long. Release the file with `lqip_png_free`.
uint8_t *_Nullable lqip_png_write(
    const uint8_t *samples, uint32_t width, uint32_t height, bool has_alpha, bool is_small,
    size_t *count);

void lqip_png_free(uint8_t *file);

#pragma clang assume_nonnull end

#endif
