#include <png.h>
#include <stdio.h>
#include <stdlib.h>

#include "lqip_writers.h"

// Replaces libpng's default handler, which prints to standard error.
_Noreturn static void fail(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

/// Writes the file; returns false if libpng fails.
static bool write_image(
    png_structp png, png_infop info, const uint8_t *samples, uint32_t width, uint32_t height,
    bool has_alpha, bool is_small) {
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
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, ignore_warning);
  if (png) info = png_create_info_struct(png);
  bool is_written = false;
  if (info) {
    png_init_io(png, file);
    is_written = write_image(png, info, samples, width, height, has_alpha, is_small);
  }
  png_destroy_write_struct(&png, &info);
  if (fclose(file) == 0 && is_written) return (uint8_t *)bytes;
  free(bytes);
  return NULL;
}

void lqip_png_free(uint8_t *file) { free(file); }
