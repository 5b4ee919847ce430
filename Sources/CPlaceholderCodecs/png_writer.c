#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lqip_writers.h"

#ifdef HAS_ISAL

#include <isa-l/igzip_lib.h>

enum {
  CHUNK_SIZE = 1 << 16,
  /// The approximate size in bytes of the rows that are compressed in one call. Each call moves a window of 32 KB.
  BATCH_SIZE = 1 << 16,
};

/// A compressor of smooth images, based on ISA-L. It takes about a quarter of the time of zlib's fastest level.
typedef struct {
  struct isal_zstream stream;
  uint8_t level_buffer[ISAL_DEF_LVL1_SMALL];
  uint8_t chunk[CHUNK_SIZE];
  uint32_t width;
  bool has_alpha;
  /// The maximum number of rows in `rows`.
  uint32_t row_count;
  /// For each row, the filter type, then the filtered samples.
  uint8_t rows[];
} deflater;

/// Creates a deflater; returns null if an allocation fails. libpng then writes the pixels.
static deflater *create_deflater(uint32_t width, bool has_alpha) {
  const size_t row_size = 1 + (size_t)width * 4, row_count = 1 + BATCH_SIZE / row_size;
  deflater *deflater = malloc(sizeof *deflater + row_count * row_size);
  if (!deflater) return NULL;
  deflater->width = width;
  deflater->has_alpha = has_alpha;
  deflater->row_count = (uint32_t)row_count;
  struct isal_zstream *stream = &deflater->stream;
  isal_deflate_init(stream);
  // Levels 2 and 3 do not make smooth images smaller.
  stream->level = 1;
  stream->level_buf = deflater->level_buffer;
  stream->level_buf_size = sizeof deflater->level_buffer;
  stream->gzip_flag = IGZIP_ZLIB;
  stream->next_out = deflater->chunk;
  stream->avail_out = CHUNK_SIZE;
  return deflater;
}

/// Subtracts each byte of `b` from that of `a`.
static uint32_t subtract_bytes(uint32_t a, uint32_t b) {
  const uint32_t high = 0x80808080;
  return ((a | high) - (b & ~high)) ^ ((a ^ ~b) & high);
}

/// Subtracts the row above, if any, from RGBA samples, and drops alpha unless the image has it; returns the end of the
/// filtered row.
///
/// Choosing a filter for each row would shrink the file by at most 5%.
static uint8_t *filter_row(
    const deflater *deflater, uint8_t *filtered, const uint8_t *samples,
    const uint8_t *_Nullable above) {
  const size_t channels = deflater->has_alpha ? 4 : 3;
  *filtered++ = PNG_FILTER_VALUE_UP;
  // The next pixel overwrites a dropped fourth byte.
  for (size_t i = 0; i < (size_t)deflater->width * 4; i += 4, filtered += channels) {
    uint32_t pixel, top = 0;
    memcpy(&pixel, samples + i, sizeof pixel);
    if (above) memcpy(&top, above + i, sizeof top);
    pixel = subtract_bytes(pixel, top);
    memcpy(filtered, &pixel, sizeof pixel);
  }
  return filtered;
}

static void write_chunk(deflater *deflater, png_structp png) {
  struct isal_zstream *stream = &deflater->stream;
  png_write_chunk(png, (png_const_bytep) "IDAT", deflater->chunk, CHUNK_SIZE - stream->avail_out);
  stream->next_out = deflater->chunk;
  stream->avail_out = CHUNK_SIZE;
}

/// Compresses RGBA samples and writes them as IDAT chunks. Calls `png_error`, which jumps, if a write fails.
static void deflate_rows(
    deflater *deflater, png_structp png, const uint8_t *samples, uint32_t height) {
  struct isal_zstream *stream = &deflater->stream;
  const uint8_t *above = NULL;
  for (uint32_t y = 0; y < height;) {
    uint8_t *end = deflater->rows;
    for (uint32_t i = 0; i < deflater->row_count && y < height; i++, y++) {
      end = filter_row(deflater, end, samples, above);
      above = samples;
      samples += (size_t)deflater->width * 4;
    }
    stream->next_in = deflater->rows;
    stream->avail_in = (uint32_t)(end - deflater->rows);
    stream->end_of_stream = y == height;
    do {
      if (stream->avail_out == 0) write_chunk(deflater, png);
      if (isal_deflate(stream) != COMP_OK) png_error(png, "deflate failed");
    } while (stream->end_of_stream ? stream->internal_state.state != ZSTATE_END
                                   : stream->avail_in > 0);
  }
  write_chunk(deflater, png);
}

#else

typedef void deflater;

static deflater *create_deflater(uint32_t width, bool has_alpha) {
  return (void)width, (void)has_alpha, NULL;
}

static void deflate_rows(
    deflater *deflater, png_structp png, const uint8_t *samples, uint32_t height) {
  (void)deflater, (void)png, (void)samples, (void)height;
}

#endif

// Replaces libpng's default handler, which prints to standard error.
_Noreturn static void fail(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

/// Writes the file; returns false if libpng fails.
static bool write_image(
    png_structp png, png_infop info, const uint8_t *samples, uint32_t width, uint32_t height,
    bool has_alpha, bool is_small, deflater *deflater) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_IHDR(
      png, info, width, height, 8, has_alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB,
      PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (is_small) {
    png_set_compression_level(png, 9);
  } else {
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
    png_set_compression_level(png, 1);
  }
  png_write_info(png, info);
  if (deflater) {
    deflate_rows(deflater, png, samples, height);
    // png_write_end fails if libpng has not written the pixels itself.
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
    return true;
  }
  if (!has_alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
  for (uint32_t y = 0; y < height; y++) png_write_row(png, samples + (size_t)y * width * 4);
  png_write_end(png, info);
  return true;
}

uint8_t *lqip_png_write(
    const uint8_t *samples, uint32_t width, uint32_t height, bool has_alpha, bool is_small,
    size_t *count) {
  char *bytes = NULL;
  FILE *file = open_memstream(&bytes, count);
  if (!file) return NULL;
  png_infop info = NULL;
  deflater *deflater = is_small ? NULL : create_deflater(width, has_alpha);
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, ignore_warning);
  if (png) info = png_create_info_struct(png);
  bool is_written = false;
  if (info) {
    png_init_io(png, file);
    is_written = write_image(png, info, samples, width, height, has_alpha, is_small, deflater);
  }
  png_destroy_write_struct(&png, &info);
  free(deflater);
  if (fclose(file) == 0 && is_written) return (uint8_t *)bytes;
  free(bytes);
  return NULL;
}

void lqip_png_free(uint8_t *file) { free(file); }
