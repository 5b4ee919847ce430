#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Encodes an image of 8-bit RGBA samples as baseline JPEG with 4:2:0 subsampling, optimized for a small file. Alpha is
/// ignored.
///
/// All components use libjpeg's quantization table for luma at quality 50, and the Huffman tables are optimal. Returns
/// the size of the file; 0 if it exceeds `capacity` or an allocation fails.
size_t lqip_jpeg_write(
    const uint8_t *samples, uint32_t width, uint32_t height, uint8_t *file, size_t capacity);

/// Encodes an image of 8-bit RGBA samples as PNG; returns null if an allocation fails. Alpha is ignored unless
/// `has_alpha` is true.
///
/// With `is_small`, the file has no optional chunks and is compressed at the highest level, which takes about ten times
/// as long. Release the file with `lqip_png_free`.
uint8_t *_Nullable lqip_png_write(
    const uint8_t *samples, uint32_t width, uint32_t height, bool has_alpha, bool is_small,
    size_t *count);

void lqip_png_free(uint8_t *file);

/// The kinds of WebP file. The smallest lossless file takes about ten times as long as an ordinary one.
typedef enum __attribute__((enum_extensibility(closed))) {
  LQIP_LOSSY,
  LQIP_LOSSLESS,
  LQIP_SMALLEST_LOSSLESS,
} lqip_webp_coding;

/// A writer that can encode one image with libwebp several times, each time with different settings.
typedef struct lqip_webp_writer lqip_webp_writer;

/// Creates a writer for 8-bit RGBA samples, which are copied. Without `has_alpha`, alpha must be 255.
///
/// Returns null if an allocation fails.
lqip_webp_writer *_Nullable lqip_webp_writer_create(
    const uint8_t *samples, uint32_t width, uint32_t height, bool has_alpha,
    lqip_webp_coding coding);
void lqip_webp_writer_destroy(lqip_webp_writer *writer);

/// Encodes the image, and stores the file in `file` if it has at most `capacity` bytes.
///
/// - quantizer: A value from 0 (finest) to 127 (coarsest); ignored if the file is lossless.
/// - alpha_quality: The precision of alpha, from 0 for two levels to 100 for all levels.
///
/// Returns the size of the file, even if it exceeds `capacity`; 0 if an allocation fails.
size_t lqip_webp_writer_encode(
    lqip_webp_writer *writer, int quantizer, int alpha_quality, uint8_t *file, size_t capacity);

/// Decodes a file from `lqip_webp_writer_encode` to 8-bit RGBA samples; returns false if an allocation fails.
bool lqip_webp_decode(
    const uint8_t *file, size_t count, uint32_t width, uint32_t height, uint8_t *pixels);

#pragma clang assume_nonnull end
