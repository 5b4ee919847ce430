#ifndef LQIP_WEBP_H
#define LQIP_WEBP_H

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// A reader that decodes a WebP image, or the first frame of an animation, row by row to 8-bit RGB or RGBA.
///
/// This reader parses the container and passes the image data to libwebp in pieces. On Linux, libwebp is loaded when
/// the first WebP image is read or written.
///
/// After a function returns false, the codec holds the reason, and the reader can only be destroyed.
typedef struct lqip_webp_reader lqip_webp_reader;

/// Creates a reader, which the codec must outlive.
lqip_webp_reader *_Nullable lqip_webp_reader_create(lqip_codec *codec);
void lqip_webp_reader_destroy(lqip_webp_reader *reader);

/// Reads the header, up to the pixels, and checks the size of the canvas. The samples are RGB or RGBA.
bool lqip_webp_reader_read_header(lqip_webp_reader *reader, lqip_header *header);

/// Starts decoding at 1/scale of the size, with a scale of 1, 2, 4 or 8, and stores the decoded size in `decoded`.
///
/// Fails if decoding would exceed `max_memory`. The scale of an image with alpha must be 1.
bool lqip_webp_reader_start(lqip_webp_reader *reader, int scale, lqip_header *decoded);

/// A rectangle on a canvas, in pixels.
typedef struct {
  uint32_t x, y, width, height;
} lqip_webp_area;

/// Returns the area of the first frame; the rest of the canvas is transparent.
lqip_webp_area lqip_webp_reader_frame(const lqip_webp_reader *reader);

/// Reads the next row of the canvas, from top to bottom, and stores only the `count` pixels that the frame covers.
///
/// After the last row, the call reads the rest of the file and sets `has_row` to false. In a lenient decode,
/// `has_row` is also false at the end of truncated data. Do not call the function again once `has_row` is false.
bool lqip_webp_reader_read_row(
    lqip_webp_reader *reader, uint8_t *row, uint32_t *count, bool *has_row);

/// Returns the profile in the ICCP chunk; empty if there is none.
lqip_bytes lqip_webp_reader_icc_profile(const lqip_webp_reader *reader);

/// Returns the number of frames found so far, at most `LQIP_MAX_FRAMES`; 0 for a still image.
uint32_t lqip_webp_reader_frame_count(const lqip_webp_reader *reader);

/// A writer that can encode one image with libwebp several times, each time with different settings.
typedef struct lqip_webp_writer lqip_webp_writer;

typedef struct {
  /// The quantizer, from 0 (finest) to 127 (coarsest); ignored if the file is lossless.
  int quantizer;
  /// The precision of alpha, from 0 for two levels to 100 for all levels.
  int alpha_quality;
} lqip_webp_settings;

/// Creates a writer for 8-bit RGB or RGBA samples, which are copied.
///
/// Returns null if libwebp cannot be loaded or an allocation fails.
lqip_webp_writer *_Nullable lqip_webp_writer_create(
    const uint8_t *samples, uint32_t width, uint32_t height, bool has_alpha, bool is_lossless);
void lqip_webp_writer_destroy(lqip_webp_writer *writer);

/// Encodes the image, and stores the file in `file` if it has at most `capacity` bytes.
///
/// Returns the size of the file, even if it exceeds `capacity`; 0 if an allocation fails.
size_t lqip_webp_writer_encode(
    lqip_webp_writer *writer, lqip_webp_settings settings, uint8_t *file, size_t capacity);

/// Decodes a file from `lqip_webp_writer_encode` to 8-bit RGBA samples; returns false if an allocation fails.
bool lqip_webp_decode(
    const uint8_t *file, size_t count, uint32_t width, uint32_t height, uint8_t *pixels);

#pragma clang assume_nonnull end

#endif
