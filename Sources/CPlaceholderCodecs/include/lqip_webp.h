#ifndef LQIP_WEBP_H
#define LQIP_WEBP_H

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// Reads one WebP image, of an animation the first frame, row by row, as 8-bit RGB with or without alpha.
///
/// The container is read here, and the image by libwebp, which gets it in pieces. On Linux, libwebp is loaded
/// when the first image of this kind is read.
///
/// A false result leaves the reason in the codec; the reader is then good for nothing but destroying.
typedef struct lqip_webp_reader lqip_webp_reader;

/// The codec must outlive the reader.
lqip_webp_reader *_Nullable lqip_webp_reader_create(lqip_codec *codec);
void lqip_webp_reader_destroy(lqip_webp_reader *reader);

/// Reads up to the pixels and checks the size of the canvas, whose samples are RGB or RGBA.
bool lqip_webp_reader_read_header(lqip_webp_reader *reader, lqip_header *header);

/// Prepares rows at 1/scale (1, 2, 4 or 8) of the size, which is put into `decoded`, and refuses what would
/// need too much memory. An image with alpha is not scaled.
bool lqip_webp_reader_start(lqip_webp_reader *reader, int scale, lqip_header *decoded);

/// A part of a canvas.
typedef struct {
  uint32_t x, y, width, height;
} lqip_webp_area;

/// The part of the canvas that the first frame covers; the rest is transparent.
lqip_webp_area lqip_webp_reader_frame(const lqip_webp_reader *reader);

/// Reads the next row of the canvas, from top to bottom: the `count` pixels of it that the frame covers, or none.
///
/// `has_row` is false after the last one, when the rest of the file was read, and in a lenient decode where
/// the data ends; it is not to be called again then.
bool lqip_webp_reader_read_row(
    lqip_webp_reader *reader, uint8_t *row, uint32_t *count, bool *has_row);

/// What an ICCP chunk holds.
lqip_bytes lqip_webp_reader_icc_profile(const lqip_webp_reader *reader);

/// How many frames have begun up to here, where `LQIP_MAX_FRAMES` stands for more too; 0 for an image that is no
/// animation.
uint32_t lqip_webp_reader_frame_count(const lqip_webp_reader *reader);

#pragma clang assume_nonnull end

#endif
