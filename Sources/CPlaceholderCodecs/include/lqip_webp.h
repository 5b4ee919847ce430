#pragma once

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// A reader that decodes a WebP image, or the first frame of an animation, to 8-bit RGB or RGBA.
///
/// This reader parses the container and passes the image data to libwebp in pieces. On Linux, libwebp is loaded when
/// the first WebP image is read or written.
typedef struct lqip_webp_reader lqip_webp_reader;

lqip_webp_reader *_Nullable lqip_webp_reader_open(lqip_codec *codec, lqip_header *header);
void lqip_webp_reader_destroy(lqip_webp_reader *reader);

/// Returns the profile in the ICCP chunk; empty if there is none.
lqip_bytes lqip_webp_reader_icc_profile(const lqip_webp_reader *reader);

/// Starts decoding at the smallest scale that a grid allows; fails if decoding would exceed `max_memory`.
bool lqip_webp_reader_start(lqip_webp_reader *reader, lqip_layout *layout);

/// Reads the next row of the canvas, of which only the pixels in the frame are stored. The call after the last row counts
/// the frames.
bool lqip_webp_reader_read_row(
    lqip_webp_reader *reader, uint8_t *samples, lqip_row *row, bool *has_row);

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
