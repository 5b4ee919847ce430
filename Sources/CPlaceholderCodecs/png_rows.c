#include "png_rows.h"

#ifdef HAS_ISAL

#include <stdlib.h>
#include <string.h>

enum { MAX_ROW_SIZE = 1 << 20 };

/// The RGB or RGBA color of each index; indices beyond the palette are black.
typedef struct {
  /// The number of samples per pixel: 3, or 4 if the palette has transparency; 0 if the image has no palette.
  size_t channels;
  uint8_t colors[256][4];
} palette;

struct png_rows {
  /// The source of the filtered rows.
  png_inflater inflater;

  uint32_t rows_left;
  uint32_t width;
  int bit_depth;
  int pixel_size;
  size_t row_size;
  uint8_t *above, *row, *below;
  /// Whether `below` already contains the next row.
  bool has_below;
  palette palette;
};

static void read_palette(palette *palette, png_structp png, png_infop info) {
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
    const palette *palette, const uint8_t *row, uint32_t width, uint32_t depth,
    size_t channels, uint8_t *samples) {
  const uint32_t last = width - 1;
  // Copies four bytes per pixel; if the fourth is not alpha, the next pixel overwrites it.
  for (uint32_t x = 0; x < last; x++)
    memcpy(samples + x * channels, palette->colors[index_of(row, x, depth)], 4);
  memcpy(samples + last * channels, palette->colors[index_of(row, last, depth)], channels);
}

/// Converts a row of 1-, 2-, 4- or 8-bit indices to samples.
static void expand_indices(
    const palette *palette, const uint8_t *row, uint32_t width, uint32_t depth, uint8_t *samples) {
  if (depth == 8 && palette->channels == 3) {
    expand(palette, row, width, 8, 3, samples);
  } else {
    expand(palette, row, width, depth, palette->channels, samples);
  }
}

/// Converts 16-bit samples to 8 bits, rounded like libpng: `(v * 255 + 32895) >> 16`.
static void scale_16(const uint8_t *restrict row, uint8_t *restrict samples, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const int high = row[2 * i], difference = row[2 * i + 1] - high;
    samples[i] = (uint8_t)(high + (difference > 128) - (difference < -128));
  }
}

static void swap_rows(uint8_t **a, uint8_t **b) {
  uint8_t *former = *a;
  *a = *b;
  *b = former;
}

/// Undoes the filter of the next row, and at the same time that of the row below if both use the Paeth filter.
static bool unfilter_row(png_rows *rows) {
  if (rows->has_below) {
    rows->has_below = false;
    swap_rows(&rows->row, &rows->below);
    return true;
  }
  const size_t size = rows->row_size;
  if (!png_inflater_provide(&rows->inflater, 1 + size)) return false;
  const uint8_t *filtered = rows->inflater.inflated + rows->inflater.start;
  rows->has_below =
      rows->inflater.end - rows->inflater.start >= 2 * (1 + size) &&
      png_unfilter_two(filtered, rows->above, rows->row, rows->below, size, rows->pixel_size);
  return rows->has_below ||
         png_unfilter(filtered, rows->above, rows->row, size, rows->pixel_size);
}

bool png_rows_read(png_rows *rows, uint8_t *samples) {
  if (!unfilter_row(rows)) return false;
  const uint8_t *row = rows->row;
  if (rows->palette.channels > 0)
    expand_indices(&rows->palette, row, rows->width, (uint32_t)rows->bit_depth, samples);
  else if (rows->bit_depth == 16)
    scale_16(row, samples, rows->row_size / 2);
  else
    memcpy(samples, row, rows->row_size);
  rows->inflater.start += 1 + rows->row_size;
  swap_rows(&rows->row, &rows->above);
  return --rows->rows_left > 0 || png_inflater_finish(&rows->inflater);
}

static bool is_supported(png_structp png, png_infop info) {
  if (png_get_interlace_type(png, info) != PNG_INTERLACE_NONE) return false;
  if (png_get_rowbytes(png, info) > MAX_ROW_SIZE) return false;
  // The inflater counts in 32 bits.
  const uint64_t height = png_get_image_height(png, info);
  if (height * (png_get_rowbytes(png, info) + 1) > PNG_UINT_31_MAX) return false;
  if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE)
    return png_get_valid(png, info, PNG_INFO_PLTE) != 0;
  return png_get_bit_depth(png, info) >= 8 && !png_get_valid(png, info, PNG_INFO_tRNS);
}

png_rows *png_rows_create(
    lqip_codec *codec, png_structp png, png_infop info, uint32_t first_chunk_size) {
  if (!is_supported(png, info)) return NULL;
  png_rows *rows = calloc(1, sizeof *rows);
  if (!rows) return NULL;
  rows->rows_left = png_get_image_height(png, info);
  rows->width = png_get_image_width(png, info);
  rows->bit_depth = png_get_bit_depth(png, info);
  rows->row_size = png_get_rowbytes(png, info);
  const int bits = rows->bit_depth * png_get_channels(png, info);
  rows->pixel_size = bits < 8 ? 1 : bits / 8;
  rows->above = calloc(1, rows->row_size + PNG_ROW_PADDING);
  rows->row = calloc(1, rows->row_size + PNG_ROW_PADDING);
  rows->below = calloc(1, rows->row_size + PNG_ROW_PADDING);
  if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE)
    read_palette(&rows->palette, png, info);
  const size_t request = 1 + rows->row_size;
  if (png_inflater_init(&rows->inflater, codec, first_chunk_size, rows->rows_left * request, request) &&
      rows->above && rows->row && rows->below)
    return rows;
  png_rows_destroy(rows);
  return NULL;
}

void png_rows_destroy(png_rows *rows) {
  if (!rows) return;
  png_inflater_free(&rows->inflater);
  free(rows->above);
  free(rows->row);
  free(rows->below);
  free(rows);
}

#else

png_rows *png_rows_create(
    lqip_codec *codec, png_structp png, png_infop info, uint32_t first_chunk_size) {
  (void)codec, (void)png, (void)info, (void)first_chunk_size;
  return NULL;
}

void png_rows_destroy(png_rows *rows) { (void)rows; }

bool png_rows_read(png_rows *rows, uint8_t *samples) {
  (void)rows, (void)samples;
  return false;
}

#endif
