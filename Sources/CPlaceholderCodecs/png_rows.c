#include "png_rows.h"

#ifdef HAS_ISAL

#include <stdlib.h>
#include <string.h>

#include "png_filters.h"
#include "png_inflater.h"
#include "png_palette.h"

enum { MAX_ROW_SIZE = 1 << 20 };

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

  /// The palette; 0 channels if the image has none.
  png_palette palette;
};

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
    png_palette_expand(&rows->palette, row, rows->width, (uint32_t)rows->bit_depth, samples);
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
  if (!rows) codec_fail(codec, LQIP_OUT_OF_MEMORY, "out of memory");
  rows->rows_left = png_get_image_height(png, info);
  rows->width = png_get_image_width(png, info);
  rows->bit_depth = png_get_bit_depth(png, info);
  rows->row_size = png_get_rowbytes(png, info);
  const int bits = rows->bit_depth * png_get_channels(png, info);
  rows->pixel_size = bits < 8 ? 1 : bits / 8;
  rows->above = calloc(1, rows->row_size + PNG_ROW_PADDING);
  rows->row = calloc(1, rows->row_size + PNG_ROW_PADDING);
  rows->below = calloc(1, rows->row_size + PNG_ROW_PADDING);
  if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE) png_palette_read(&rows->palette, png, info);
  const uint64_t count = (uint64_t)rows->rows_left * (1 + rows->row_size);
  if (png_inflater_init(
          &rows->inflater, codec, first_chunk_size, count, 1 + rows->row_size, PNG_ROW_PADDING) &&
      rows->above && rows->row && rows->below)
    return rows;
  png_rows_destroy(rows);
  codec_fail(codec, LQIP_OUT_OF_MEMORY, "out of memory");
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
