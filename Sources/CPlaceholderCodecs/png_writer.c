#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lqip_writers.h"

#ifdef HAS_ISAL

#include <isa-l/igzip_lib.h>

enum { CHUNK_SIZE = 1 << 16 };

/// A compressor of smooth images, based on ISA-L. It takes about a quarter of the time of zlib's fastest level.
typedef struct {
  struct isal_zstream stream;
  uint8_t level_buffer[ISAL_DEF_LVL1_SMALL];
  uint8_t chunk[CHUNK_SIZE];
  size_t row_size;
  /// The filter type of a row, followed by its filtered samples.
  uint8_t row[];
} deflater;

/// Creates a deflater; returns null if an allocation fails. libpng then writes the pixels.
static deflater *create_deflater(size_t row_size) {
  deflater *deflater = malloc(sizeof *deflater + 1 + row_size);
  if (!deflater) return NULL;
  deflater->row_size = row_size;
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

/// Subtracts the row above. Choosing a filter for each row would shrink the file by at most 5%.
static void filter_row(deflater *deflater, const uint8_t *samples, bool is_first) {
  const size_t count = deflater->row_size;
  uint8_t *filtered = deflater->row + 1;
  deflater->row[0] = PNG_FILTER_VALUE_UP;
  if (is_first) {
    memcpy(filtered, samples, count);
    return;
  }
  const uint8_t *above = samples - count;
  for (size_t i = 0; i < count; i++) filtered[i] = (uint8_t)(samples[i] - above[i]);
}

static void write_chunk(deflater *deflater, png_structp png) {
  struct isal_zstream *stream = &deflater->stream;
  png_write_chunk(png, (png_const_bytep) "IDAT", deflater->chunk, CHUNK_SIZE - stream->avail_out);
  stream->next_out = deflater->chunk;
  stream->avail_out = CHUNK_SIZE;
}

/// Compresses 8-bit samples and writes them as IDAT chunks. Calls `png_error`, which jumps, if a write fails.
static void deflate_rows(
    deflater *deflater, png_structp png, const uint8_t *samples, uint32_t height) {
  struct isal_zstream *stream = &deflater->stream;
  for (uint32_t y = 0; y < height; y++) {
    filter_row(deflater, samples + y * deflater->row_size, y == 0);
    stream->next_in = deflater->row;
    stream->avail_in = (uint32_t)deflater->row_size + 1;
    stream->end_of_stream = y + 1 == height;
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

static deflater *create_deflater(size_t row_size) { return (void)row_size, NULL; }

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
  const size_t row = (size_t)width * (has_alpha ? 4 : 3);
  for (uint32_t y = 0; y < height; y++) png_write_row(png, samples + y * row);
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
  deflater *deflater =
      is_small ? NULL : create_deflater((size_t)width * (has_alpha ? 4 : 3));
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
