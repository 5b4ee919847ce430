// The palette of a PNG image.

#ifndef PNG_PALETTE_H
#define PNG_PALETTE_H

#include <png.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The RGB or RGBA color of each index; indices beyond the palette are black.
typedef struct {
  /// The number of samples per pixel: 3, or 4 if the palette has transparency.
  size_t channels;
  uint8_t colors[256][4];
} png_palette;

/// Reads the palette from the chunks that libpng has parsed.
void png_palette_read(png_palette *palette, png_structp png, png_infop info);

/// Converts a row of 1-, 2-, 4- or 8-bit indices to samples.
void png_palette_expand(
    const png_palette *palette, const uint8_t *row, uint32_t width, uint32_t depth,
    uint8_t *samples);

#pragma clang assume_nonnull end

#endif
