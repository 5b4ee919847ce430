#ifndef PNG_ROWS_H
#define PNG_ROWS_H

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

#pragma clang assume_nonnull end

#endif
