#ifndef PNG_DEFLATER_H
#define PNG_DEFLATER_H

#include <png.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A compressor of smooth images, based on ISA-L. It takes about a quarter of the time of zlib's fastest level.
typedef struct png_deflater png_deflater;

/// Creates a deflater; returns null if ISA-L is missing or an allocation fails. libpng then writes the pixels.
///
/// - row_size: The size of a row of samples in bytes.
png_deflater *_Nullable png_deflater_create(size_t row_size);

/// Compresses 8-bit samples and writes them as IDAT chunks. Calls `png_error`, which jumps, if a write fails.
void png_deflater_write(
    png_deflater *deflater, png_structp png, const uint8_t *samples, uint32_t height);

void png_deflater_free(png_deflater *_Nullable deflater);

#pragma clang assume_nonnull end

#endif
