#ifndef PNG_ROWS_H
#define PNG_ROWS_H

#include <png.h>

#include "codec.h"

#pragma clang assume_nonnull begin

/// Reads the rows of usual PNG images, to the same bytes as libpng but faster.
///
/// Never reports an error: returns false for anything unusual, and libpng then reads the image from the start.
typedef struct png_rows png_rows;

/// Takes over at the first byte of the first IDAT chunk's data.
///
/// Null for images that are left to libpng.
png_rows *_Nullable png_rows_create(
    lqip_codec *codec, png_structp png, png_infop info, uint32_t first_chunk_size);

void png_rows_destroy(png_rows *_Nullable rows);

/// Reads the next row, with 8 bits a sample and no palette; with the last one, to the end of the data.
///
/// False for anything unusual.
bool png_rows_read(png_rows *rows, uint8_t *samples);

#pragma clang assume_nonnull end

#endif
