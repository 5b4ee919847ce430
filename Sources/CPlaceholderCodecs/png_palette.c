#include "png_palette.h"

#include <string.h>

void png_palette_read(png_palette *palette, png_structp png, png_infop info) {
  png_colorp colors;
  png_bytep alphas = NULL;
  int color_count = 0, alpha_count = 0;
  png_get_PLTE(png, info, &colors, &color_count);
  if (png_get_valid(png, info, PNG_INFO_tRNS))
    png_get_tRNS(png, info, &alphas, &alpha_count, NULL);
  palette->channels = alpha_count > 0 ? 4 : 3;
  for (int i = 0; i < 256; i++) {
    uint8_t *entry = palette->colors[i];
    const png_color color = i < color_count ? colors[i] : (png_color){0, 0, 0};
    memcpy(entry, (uint8_t[]){color.red, color.green, color.blue}, 3);
    entry[3] = i < alpha_count ? alphas[i] : 255;
  }
}

static inline uint8_t index_of(const uint8_t *row, uint32_t x, uint32_t depth) {
  const uint32_t bit = x * depth, mask = (1u << depth) - 1;
  return (uint8_t)((uint32_t)row[bit / 8] >> (8 - depth - bit % 8) & mask);
}

static inline __attribute__((always_inline)) void expand(
    const png_palette *palette, const uint8_t *row, uint32_t width, uint32_t depth,
    size_t channels, uint8_t *samples) {
  const uint32_t last = width - 1;
  // Copies four bytes per pixel; if the fourth is not alpha, the next pixel overwrites it.
  for (uint32_t x = 0; x < last; x++)
    memcpy(samples + x * channels, palette->colors[index_of(row, x, depth)], 4);
  memcpy(samples + last * channels, palette->colors[index_of(row, last, depth)], channels);
}

void png_palette_expand(
    const png_palette *palette, const uint8_t *row, uint32_t width, uint32_t depth,
    uint8_t *samples) {
  if (depth == 8 && palette->channels == 3) {
    expand(palette, row, width, 8, 3, samples);
  } else {
    expand(palette, row, width, depth, palette->channels, samples);
  }
}
