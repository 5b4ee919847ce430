#include "png_rows.h"

#ifdef HAS_ISAL

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
// The compiler's builtin links a constructor that calls CPUID, which takes microseconds in a virtual machine.
#define HAS_AVX CPU_FEATURE_ACTIVE(AVX)
#else
#define HAS_AVX __builtin_cpu_supports("avx")
#endif

enum {
  MAX_ROW_SIZE = 1 << 20,
  CHUNK_TYPE_SIZE = 4,
  /// The size in bytes of the buffer for inflated bytes that are not consumed yet, in addition to two requests.
  BUFFER_SIZE = 1 << 17,
  LARGEST_WINDOW = 7,
  /// The number of compressed bytes tolerated in addition to 9/8 of the number of inflated bytes.
  MAX_EXCESS = 1 << 12,
};

// Inflating

/// An inflater of the IDAT chunks of a PNG image, based on ISA-L and faster than zlib.
///
/// It makes the same checks as libpng, with one exception: unlike zlib, ISA-L accepts an incomplete Huffman code if the
/// data uses none of its unassigned codes.
typedef struct {
  lqip_codec *codec;
  struct inflate_state *_Nullable state;
  bool has_started;

  /// The number of unread bytes in the current chunk, and the checksum of the bytes read so far.
  uint32_t chunk_left;
  uint32_t checksum;

  /// The numbers of compressed bytes consumed and of inflated bytes produced.
  uint64_t consumed, produced;

  /// The number of bytes left to inflate, and the inflated bytes that are not consumed yet, in `start..<end`.
  uint64_t to_inflate;
  uint8_t *_Nullable inflated;
  size_t capacity, start, end;
} inflater;

/// Initializes an inflater at the first byte of the first chunk's data; returns false if an allocation fails.
///
/// - count: The size of the inflated image in bytes.
/// - max_request: The maximum number of bytes requested at a time.
static bool init_inflater(
    inflater *inflater, lqip_codec *codec, uint32_t first_chunk_size, uint64_t count,
    size_t max_request) {
  inflater->codec = codec;
  inflater->chunk_left = first_chunk_size;
  inflater->checksum = crc32_gzip_refl(0, (const uint8_t *)"IDAT", CHUNK_TYPE_SIZE);
  inflater->to_inflate = count;
  inflater->capacity = BUFFER_SIZE + 2 * max_request;
  if (inflater->capacity > count) inflater->capacity = (size_t)count;
  // Not cleared: they have 130 KB and 80 KB, and the filters read, but do not use, the bytes after a row.
  inflater->inflated = malloc(inflater->capacity + PNG_ROW_PADDING);
  inflater->state = malloc(sizeof *inflater->state);
  if (!inflater->inflated || !inflater->state) return false;
  isal_inflate_init(inflater->state);
  inflater->state->crc_flag = ISAL_ZLIB;
  return true;
}

/// Verifies the checksum of a chunk, and reads the header of the next one, which must contain image data, too.
static bool begin_next_chunk(inflater *inflater) {
  enum { SIZE = 4, NAME = 8, END = 12 };
  uint8_t bytes[END];
  if (codec_read(inflater->codec, bytes, sizeof bytes) < sizeof bytes) return false;
  if (png_get_uint_32(bytes) != inflater->checksum) return false;
  if (memcmp(bytes + NAME, "IDAT", CHUNK_TYPE_SIZE) != 0) return false;
  inflater->chunk_left = png_get_uint_32(bytes + SIZE);
  inflater->checksum = crc32_gzip_refl(0, bytes + NAME, CHUNK_TYPE_SIZE);
  return inflater->chunk_left <= PNG_UINT_31_MAX;
}

/// Returns whether libpng accepts the window in this zlib header: 32 KiB, or enough for the complete image.
static bool has_accepted_window(const inflater *inflater, uint8_t first_byte) {
  const int window = first_byte >> 4;
  return window == LARGEST_WINDOW ||
         (window < LARGEST_WINDOW && inflater->to_inflate <= 256u << window);
}

/// Passes more bytes to ISA-L, which has none left; returns false if libpng must decode the image.
static bool feed(inflater *inflater) {
  struct inflate_state *state = inflater->state;
  lqip_codec *codec = inflater->codec;
  while (inflater->chunk_left == 0)
    if (!begin_next_chunk(inflater)) return false;
  if (codec->available == 0 && !codec_fill(codec)) return false;
  const uint32_t count =
      codec->available < inflater->chunk_left ? (uint32_t)codec->available : inflater->chunk_left;
  if (!inflater->has_started && !has_accepted_window(inflater, *codec->next)) return false;
  inflater->has_started = true;
  state->next_in = (uint8_t *)codec->next;
  state->avail_in = count;
  inflater->checksum = crc32_gzip_refl(inflater->checksum, codec->next, count);
  inflater->chunk_left -= count;
  codec->next += count;
  codec->available -= count;
  return true;
}

#ifdef __x86_64__
__attribute__((target("avx"))) static void clear_wide_registers(void) { __builtin_ia32_vzeroupper(); }

/// Clears the upper halves of the vector registers, which ISA-L leaves in use. Otherwise, later SSE code is slower:
/// filters take twice as long.
static void clear_upper_registers(void) {
  if (HAS_AVX) clear_wide_registers();
}
#else
static void clear_upper_registers(void) {}
#endif

/// Returns whether the compressed data is much longer than the inflated data, for example because of empty blocks.
///
/// For each block, ISA-L copies 20 KB of tables; zlib copies none.
static bool is_bloated(const inflater *inflater) {
  return inflater->consumed > inflater->produced + inflater->produced / 8 + MAX_EXCESS;
}

/// Inflates up to `room` bytes, and stores their number in `count`, which can be 0.
///
/// Returns false if libpng must decode the image.
static bool inflate_some(inflater *inflater, uint8_t *bytes, size_t room, size_t *count) {
  struct inflate_state *state = inflater->state;
  // A few bytes of input can take a second to inflate.
  codec_check_deadline(inflater->codec);
  for (;;) {
    // The bytes already read can contain the end of the data, so they are inflated before more are requested.
    const uint32_t available = state->avail_in;
    state->next_out = bytes;
    state->avail_out = (uint32_t)room;
    const int result = inflater->has_started ? isal_inflate(state) : ISAL_END_INPUT;
    clear_upper_registers();
    if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT) return false;
    *count = room - state->avail_out;
    inflater->consumed += available - state->avail_in;
    inflater->produced += *count;
    if (is_bloated(inflater)) return false;
    if (*count > 0 || state->avail_in < available) return true;
    if (state->block_state == ISAL_BLOCK_FINISH) return true;
    if (available > 0 || !feed(inflater)) return false;
  }
}

/// Makes at least `count` bytes available; returns false if libpng must decode the image.
static bool provide(inflater *inflater, size_t count) {
  if (inflater->end - inflater->start >= count) return true;
  uint8_t *bytes = inflater->inflated;
  memmove(bytes, bytes + inflater->start, inflater->end - inflater->start);
  inflater->end -= inflater->start;
  inflater->start = 0;
  while (inflater->end < count) {
    size_t room = inflater->capacity - inflater->end;
    if (room > inflater->to_inflate) room = (size_t)inflater->to_inflate;
    size_t more;
    if (!inflate_some(inflater, bytes + inflater->end, room, &more)) return false;
    if (more == 0 && inflater->state->block_state == ISAL_BLOCK_FINISH) return false;
    inflater->end += more;
    inflater->to_inflate -= more;
  }
  return true;
}

/// Reads to the end of the data; returns false unless it ends with the image and the checksums are correct.
static bool finish(inflater *inflater) {
  struct inflate_state *state = inflater->state;
  while (state->block_state != ISAL_BLOCK_FINISH) {
    size_t excess;
    if (!inflate_some(inflater, inflater->inflated, inflater->capacity, &excess)) return false;
    if (excess > 0) return false;
  }
  // Complete bytes in the inflater's bit buffer are trailing data, too.
  if (state->avail_in > 0 || state->read_in_length >= 8 || inflater->chunk_left > 0) return false;
  uint8_t checksum[sizeof inflater->checksum];
  return codec_read(inflater->codec, checksum, sizeof checksum) == sizeof checksum &&
         png_get_uint_32(checksum) == inflater->checksum;
}

// Rows

/// The RGB or RGBA color of each index; indices beyond the palette are black.
typedef struct {
  /// The number of samples per pixel: 3, or 4 if the palette has transparency; 0 if the image has no palette.
  size_t channels;
  uint8_t colors[256][4];
} palette;

struct png_rows {
  /// The source of the filtered rows.
  inflater inflater;

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
  if (!provide(&rows->inflater, 1 + size)) return false;
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
    codec_expand_indices(
        rows->palette.colors, row, rows->width, (uint32_t)rows->bit_depth, rows->palette.channels, samples);
  else if (rows->bit_depth == 16)
    scale_16(row, samples, rows->row_size / 2);
  else
    memcpy(samples, row, rows->row_size);
  rows->inflater.start += 1 + rows->row_size;
  swap_rows(&rows->row, &rows->above);
  return --rows->rows_left > 0 || finish(&rows->inflater);
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
  if (init_inflater(&rows->inflater, codec, first_chunk_size, rows->rows_left * request, request) &&
      rows->above && rows->row && rows->below)
    return rows;
  png_rows_destroy(rows);
  return NULL;
}

void png_rows_destroy(png_rows *rows) {
  if (!rows) return;
  free(rows->inflater.inflated);
  free(rows->inflater.state);
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
