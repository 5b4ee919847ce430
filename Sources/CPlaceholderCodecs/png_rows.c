#include "png_rows.h"

#ifdef HAS_ISAL

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

#include "png_filters.h"
#include "png_palette.h"

enum {
  CHUNK_TYPE_SIZE = 4,
  /// Of what has been inflated, and not yet been unfiltered.
  BUFFER_SIZE = 1 << 17,
  MAX_ROW_SIZE = 1 << 20,
  LARGEST_WINDOW = 7,
};

struct png_rows {
  lqip_codec *codec;
  struct inflate_state inflater;
  bool is_begun;

  /// Of the current IDAT chunk.
  uint32_t chunk_left;
  uint32_t checksum;

  /// Bytes of filtered rows that are not yet inflated, and those that are, as `start..<end`.
  uint64_t to_inflate;
  uint8_t *inflated;
  size_t capacity, start, end;

  uint32_t rows_left;
  uint32_t width;
  int bit_depth;
  int pixel_size;
  size_t row_size;
  uint8_t *above, *row;

  /// Without channels if there is none.
  png_palette palette;
};

// Input

static bool read_bytes(lqip_codec *codec, uint8_t *bytes, size_t count) {
  for (; count > 0; count--, codec->available--) {
    if (codec->available == 0 && !codec_fill(codec)) return false;
    *bytes++ = *codec->next++;
  }
  return true;
}

static bool begin_next_chunk(png_rows *rows) {
  uint8_t stored[sizeof rows->checksum], size[sizeof rows->chunk_left], type[CHUNK_TYPE_SIZE];
  if (!read_bytes(rows->codec, stored, sizeof stored)) return false;
  if (!read_bytes(rows->codec, size, sizeof size)) return false;
  if (!read_bytes(rows->codec, type, sizeof type)) return false;
  if (png_get_uint_32(stored) != rows->checksum || memcmp(type, "IDAT", sizeof type) != 0)
    return false;
  rows->chunk_left = png_get_uint_32(size);
  rows->checksum = crc32_gzip_refl(0, type, sizeof type);
  return rows->chunk_left <= PNG_UINT_31_MAX;
}

/// What libpng takes for an error, and what it leaves to zlib with a window that is too small.
static bool is_usual_header(const png_rows *rows, uint8_t first_byte) {
  const int window = first_byte >> 4;
  return window == LARGEST_WINDOW ||
         (window < LARGEST_WINDOW && rows->to_inflate <= 256u << window);
}

/// Gives the inflater bytes to read, when it has none left.
static bool feed(png_rows *rows) {
  struct inflate_state *inflater = &rows->inflater;
  lqip_codec *codec = rows->codec;
  while (rows->chunk_left == 0)
    if (!begin_next_chunk(rows)) return false;
  if (codec->available == 0 && !codec_fill(codec)) return false;
  const uint32_t count =
      codec->available < rows->chunk_left ? (uint32_t)codec->available : rows->chunk_left;
  if (!rows->is_begun && !is_usual_header(rows, *codec->next)) return false;
  rows->is_begun = true;
  inflater->next_in = (uint8_t *)codec->next;
  inflater->avail_in = count;
  rows->checksum = crc32_gzip_refl(rows->checksum, codec->next, count);
  rows->chunk_left -= count;
  codec->next += count;
  codec->available -= count;
  return true;
}

#ifdef __x86_64__
__attribute__((target("avx"))) static void clear_wide_registers(void) { __builtin_ia32_vzeroupper(); }

/// ISA-L leaves the upper halves of vector registers in use, which slows down all code for SSE that
/// comes after it: filters take twice as long.
static void leave_inflater(void) {
  if (__builtin_cpu_supports("avx")) clear_wide_registers();
}
#else
static void leave_inflater(void) {}
#endif

/// Inflates some bytes, at most as many as there is room for; `*count` of them, be it none.
static bool inflate_some(png_rows *rows, uint8_t *bytes, size_t room, size_t *count) {
  struct inflate_state *inflater = &rows->inflater;
  // A few bytes of input can hold a second's work.
  codec_check_deadline(rows->codec);
  for (;;) {
    // What has been read may still hold some: the end of the data must not ask for more input.
    const uint32_t available = inflater->avail_in;
    inflater->next_out = bytes;
    inflater->avail_out = (uint32_t)room;
    const int result = rows->is_begun ? isal_inflate(inflater) : ISAL_END_INPUT;
    leave_inflater();
    if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT) return false;
    *count = room - inflater->avail_out;
    if (*count > 0 || inflater->avail_in < available) return true;
    if (inflater->block_state == ISAL_BLOCK_FINISH) return true;
    if (available > 0 || !feed(rows)) return false;
  }
}

/// Makes a whole filtered row available.
static bool inflate_row(png_rows *rows) {
  const size_t needed = 1 + rows->row_size;
  if (rows->end - rows->start >= needed) return true;
  memmove(rows->inflated, rows->inflated + rows->start, rows->end - rows->start);
  rows->end -= rows->start;
  rows->start = 0;
  while (rows->end < needed) {
    size_t room = rows->capacity - rows->end;
    if (room > rows->to_inflate) room = (size_t)rows->to_inflate;
    size_t count;
    if (!inflate_some(rows, rows->inflated + rows->end, room, &count)) return false;
    if (count == 0 && rows->inflater.block_state == ISAL_BLOCK_FINISH) return false;
    rows->end += count;
    rows->to_inflate -= count;
  }
  return true;
}

/// Whether the data ends with the last row, and its checksums are right.
static bool finish(png_rows *rows) {
  struct inflate_state *inflater = &rows->inflater;
  while (inflater->block_state != ISAL_BLOCK_FINISH) {
    size_t excess;
    if (!inflate_some(rows, rows->inflated, rows->capacity, &excess) || excess > 0) return false;
  }
  // Bytes that the inflater holds in its bit buffer come after the end, too.
  if (inflater->avail_in > 0 || inflater->read_in_length >= 8 || rows->chunk_left > 0) return false;
  uint8_t stored[sizeof rows->checksum];
  return read_bytes(rows->codec, stored, sizeof stored) &&
         png_get_uint_32(stored) == rows->checksum;
}

// Rows

/// The nearest sample of 8 bits, as libpng rounds: `(v * 255 + 32895) >> 16`.
static void scale_16(const uint8_t *restrict row, uint8_t *restrict samples, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const int high = row[2 * i], difference = row[2 * i + 1] - high;
    samples[i] = (uint8_t)(high + (difference > 128) - (difference < -128));
  }
}

bool png_rows_read(png_rows *rows, uint8_t *samples) {
  if (!inflate_row(rows)) return false;
  const uint8_t *filtered = rows->inflated + rows->start;
  uint8_t *row = rows->row;
  if (!png_unfilter(filtered, rows->above, row, rows->row_size, rows->pixel_size)) return false;
  if (rows->palette.channels > 0)
    png_palette_expand(&rows->palette, row, rows->width, (uint32_t)rows->bit_depth, samples);
  else if (rows->bit_depth == 16)
    scale_16(row, samples, rows->row_size / 2);
  else
    memcpy(samples, row, rows->row_size);
  rows->start += 1 + rows->row_size;
  rows->row = rows->above;
  rows->above = row;
  return --rows->rows_left > 0 || finish(rows);
}

// Entry points

static bool is_usual(png_structp png, png_infop info) {
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
  if (!is_usual(png, info)) return NULL;
  png_rows *rows = calloc(1, sizeof *rows);
  if (!rows) codec_fail(codec, LQIP_OUT_OF_MEMORY, "out of memory");
  rows->codec = codec;
  isal_inflate_init(&rows->inflater);
  rows->inflater.crc_flag = ISAL_ZLIB;
  rows->chunk_left = first_chunk_size;
  rows->checksum = crc32_gzip_refl(0, (const uint8_t *)"IDAT", CHUNK_TYPE_SIZE);
  rows->rows_left = png_get_image_height(png, info);
  rows->width = png_get_image_width(png, info);
  rows->bit_depth = png_get_bit_depth(png, info);
  rows->row_size = png_get_rowbytes(png, info);
  const int bits = rows->bit_depth * png_get_channels(png, info);
  rows->pixel_size = bits < 8 ? 1 : bits / 8;
  rows->to_inflate = (uint64_t)rows->rows_left * (1 + rows->row_size);
  rows->capacity = BUFFER_SIZE + 2 * rows->row_size;
  rows->inflated = calloc(1, rows->capacity + PNG_ROW_PADDING);
  rows->above = calloc(1, rows->row_size + PNG_ROW_PADDING);
  rows->row = calloc(1, rows->row_size + PNG_ROW_PADDING);
  if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE) png_palette_take(&rows->palette, png, info);
  if (rows->inflated && rows->above && rows->row) return rows;
  png_rows_destroy(rows);
  codec_fail(codec, LQIP_OUT_OF_MEMORY, "out of memory");
}

void png_rows_destroy(png_rows *rows) {
  if (!rows) return;
  free(rows->inflated);
  free(rows->above);
  free(rows->row);
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
