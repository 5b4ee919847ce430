#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "lqip_png.h"
#include "png_deflater.h"

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} output;

static void write_data(png_structp png, png_bytep bytes, size_t count) {
  output *out = png_get_io_ptr(png);
  if (out->capacity - out->count < count) {
    size_t capacity = (out->count + count) * 2;
    uint8_t *grown = realloc(out->bytes, capacity);
    if (!grown) png_error(png, "out of memory");
    out->bytes = grown;
    out->capacity = capacity;
  }
  memcpy(out->bytes + out->count, bytes, count);
  out->count += count;
}

static void flush_data(png_structp png) { (void)png; }

// Replaces libpng's default handler, which prints to standard error.
_Noreturn static void fail(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

/// Writes the file; returns false if libpng fails.
static bool write_image(
    png_structp png, png_infop info, const uint8_t *samples, uint32_t width, uint32_t height,
    bool has_alpha, bool is_small, png_deflater *deflater) {
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
    png_deflater_write(deflater, png, samples, height);
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
  output out = {0};
  png_infop info = NULL;
  png_deflater *deflater =
      is_small ? NULL : png_deflater_create((size_t)width * (has_alpha ? 4 : 3));
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, ignore_warning);
  if (png) info = png_create_info_struct(png);
  bool is_written = false;
  if (info) {
    png_set_write_fn(png, &out, write_data, flush_data);
    is_written = write_image(png, info, samples, width, height, has_alpha, is_small, deflater);
  }
  png_destroy_write_struct(&png, &info);
  png_deflater_free(deflater);
  if (!is_written) {
    free(out.bytes);
    return NULL;
  }
  *count = out.count;
  return out.bytes;
}

void lqip_png_free(uint8_t *file) { free(file); }
