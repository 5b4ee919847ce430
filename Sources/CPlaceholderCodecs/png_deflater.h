#ifndef PNG_DEFLATER_H
#define PNG_DEFLATER_H

#include <png.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Writes the pixels of a smooth image with ISA-L, at about a quarter of zlib's time at its fastest level.
typedef struct png_deflater png_deflater;

/// Null without ISA-L, or without memory: libpng writes the pixels then.
///
/// - row_size: The bytes of a row of samples.
png_deflater *_Nullable png_deflater_create(size_t row_size);

/// Writes the IDAT chunks of 8-bit samples. Jumps out of libpng's caller where a write fails.
void png_deflater_write(
    png_deflater *deflater, png_structp png, const uint8_t *samples, uint32_t height);

void png_deflater_free(png_deflater *_Nullable deflater);

#pragma clang assume_nonnull end

#endif
