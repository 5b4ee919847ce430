// The colors of a PNG image that stores indices.

#ifndef PNG_PALETTE_H
#define PNG_PALETTE_H

#include <png.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// RGB or RGBA of each index; black where the file has no color.
typedef struct {
  /// 3, or 4 with transparency.
  size_t channels;
  uint8_t colors[256][4];
} png_palette;

/// Reads the palette from the chunks that libpng has parsed.
void png_palette_take(png_palette *palette, png_structp png, png_infop info);

/// Writes the samples of a row of indices that have 1, 2, 4 or 8 bits.
void png_palette_expand(
    const png_palette *palette, const uint8_t *row, uint32_t width, uint32_t depth,
    uint8_t *samples);

#pragma clang assume_nonnull end

#endif
