#include "png_deflater.h"

#ifdef HAS_ISAL

#include <isa-l/igzip_lib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 1 << 16 };

struct png_deflater {
  struct isal_zstream stream;
  uint8_t level_buffer[ISAL_DEF_LVL1_SMALL];
  uint8_t chunk[CHUNK_SIZE];
  size_t row_size;
  /// The filter type of a row, followed by its filtered samples.
  uint8_t row[];
};

png_deflater *png_deflater_create(size_t row_size) {
  png_deflater *deflater = malloc(sizeof *deflater + 1 + row_size);
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

void png_deflater_free(png_deflater *deflater) { free(deflater); }

/// Subtracts the row above. Choosing a filter for each row would shrink the file by at most 5%.
static void filter_row(png_deflater *deflater, const uint8_t *samples, bool is_first) {
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

static void write_chunk(png_deflater *deflater, png_structp png) {
  struct isal_zstream *stream = &deflater->stream;
  png_write_chunk(png, (png_const_bytep) "IDAT", deflater->chunk, CHUNK_SIZE - stream->avail_out);
  stream->next_out = deflater->chunk;
  stream->avail_out = CHUNK_SIZE;
}

void png_deflater_write(
    png_deflater *deflater, png_structp png, const uint8_t *samples, uint32_t height) {
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

png_deflater *png_deflater_create(size_t row_size) { return (void)row_size, NULL; }

void png_deflater_write(
    png_deflater *deflater, png_structp png, const uint8_t *samples, uint32_t height) {
  (void)deflater, (void)png, (void)samples, (void)height;
}

void png_deflater_free(png_deflater *deflater) { (void)deflater; }

#endif
