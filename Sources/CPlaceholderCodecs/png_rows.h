// The faster path for the rows of common PNG images, without libpng. An image of 1,600 pixels takes 4.6 instead of
// 10.3 ms.

#pragma once

#include <png.h>

#include "codec.h"

#pragma clang assume_nonnull begin

/// A reader of the rows of common PNG images, faster than libpng but with the same output.
///
/// It never reports damage. For damaged or unusual data, its functions fail, and libpng then decodes the image from the
/// start.
typedef struct png_rows png_rows;

/// Creates a reader at the first byte of the first IDAT chunk's data; returns null if libpng must decode the image.
png_rows *_Nullable png_rows_create(
    lqip_codec *codec, png_structp png, png_infop info, uint32_t first_chunk_size);

void png_rows_destroy(png_rows *_Nullable rows);

/// Reads the next row as 8-bit samples, with the palette applied; returns false if libpng must decode the image.
///
/// After the last row, it also reads to the end of the data and verifies the checksums.
bool png_rows_read(png_rows *rows, uint8_t *samples);

/// The maximum number of bytes that the functions below read and write past the end of a row.
enum { PNG_ROW_PADDING = 8 };

/// Undoes the filter of a row; returns false if the filter type is invalid.
///
/// - filtered: The stored row, which starts with the filter type.
/// - above: The row above, or zeros.
/// - row: The result, at least `count` bytes.
/// - pixel_size: Bytes per pixel: 1, 2, 3, 4, 6 or 8.
///
/// All three rows have `PNG_ROW_PADDING` extra bytes at their end; those of `row` are overwritten.
///
/// Source: PNG, section 9.2.
bool png_unfilter(
    const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, int pixel_size);

/// Undoes the Paeth filter in two rows at once, in slightly more than half the time of two `png_unfilter` calls.
///
/// - filtered: The stored rows, one after the other.
/// - below: The result for the second row, with the same padding.
///
/// Returns false if a row has another filter or fewer than two pixels, or if pixels are larger than 4 bytes. The caller
/// then undoes the filters row by row.
bool png_unfilter_two(
    const uint8_t *filtered, const uint8_t *above, uint8_t *row, uint8_t *below, size_t count,
    int pixel_size);

#pragma clang assume_nonnull end
