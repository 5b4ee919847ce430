// The minimum cost of reading an image: decodes it row by row with the codec alone, and sums the light of each
// channel. PNG is decoded by libpng, JPEG by libjpeg at 1/8. Of a progressive JPEG, only the first scan is decoded,
// with memory for one row of MCUs.
// Usage: bare-rows FILE...

#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

static uint64_t light[256], sums[3];

static void add(const uint8_t *row, size_t count, int channels) {
  for (size_t i = 0; i + 2 < count; i += (size_t)channels)
    for (int channel = 0; channel < 3; channel++) sums[channel] += light[row[i + (size_t)channel]];
}

static int read_png(FILE *file) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  if (!info || setjmp(png_jmpbuf(png))) return 1;
  png_init_io(png, file);
  png_read_info(png, info);
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_read_update_info(png, info);
  const size_t count = png_get_rowbytes(png, info);
  png_bytep row = malloc(count);
  for (png_uint_32 rows = png_get_image_height(png, info); rows > 0; rows--) {
    png_read_row(png, row, NULL);
    add(row, count, png_get_channels(png, info));
  }
  free(row);
  png_destroy_read_struct(&png, &info, NULL);
  return 0;
}

// Stores one row of MCUs instead of all coefficients; see Sources/CPlaceholderCodecs/jpeg_dc.c.

struct jvirt_barray_control {
  JDIMENSION width;
  JBLOCKARRAY rows;
};

static jvirt_barray_ptr request(
    j_common_ptr info, int pool, boolean zero, JDIMENSION width, JDIMENSION height, JDIMENSION most) {
  (void)zero, (void)height, (void)most;
  jvirt_barray_ptr array = info->mem->alloc_small(info, pool, sizeof *array);
  *array = (struct jvirt_barray_control){.width = width};
  return array;
}

static void realize(j_common_ptr info) { (void)info; }

static JBLOCKARRAY rows_of(
    j_common_ptr info, jvirt_barray_ptr array, JDIMENSION first, JDIMENSION count, boolean writable) {
  (void)first, (void)writable;
  if (array->rows) return array->rows;
  array->rows = info->mem->alloc_barray(info, JPOOL_IMAGE, array->width, count);
  for (JDIMENSION row = 0; row < count; row++)
    memset(array->rows[row], 0, array->width * sizeof(JBLOCK));
  return array->rows;
}

static int read_jpeg(FILE *file) {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&info);
  jpeg_stdio_src(&info, file);
  jpeg_read_header(&info, TRUE);
  info.scale_num = 1;
  info.scale_denom = 8;
  info.do_block_smoothing = FALSE;
  info.out_color_space = JCS_RGB;
  info.buffered_image = info.progressive_mode;
  if (info.progressive_mode) {
    info.mem->request_virt_barray = request;
    info.mem->realize_virt_arrays = realize;
    info.mem->access_virt_barray = rows_of;
  }
  jpeg_start_decompress(&info);
  if (info.progressive_mode) jpeg_start_output(&info, 1);
  const size_t count = (size_t)info.output_width * 3;
  JSAMPROW row = malloc(count);
  while (info.output_scanline < info.output_height) {
    jpeg_read_scanlines(&info, &row, 1);
    add(row, count, 3);
  }
  free(row);
  jpeg_destroy_decompress(&info);
  return 0;
}

int main(int count, char **arguments) {
  if (count < 2) return 2;
  for (int i = 0; i < 256; i++) light[i] = (uint64_t)i * (uint64_t)i;
  for (int i = 1; i < count; i++) {
    FILE *file = fopen(arguments[i], "rb");
    if (!file) return 2;
    const int first = fgetc(file);
    rewind(file);
    if (first == 0xFF ? read_jpeg(file) : read_png(file)) return 1;
    fclose(file);
  }
  printf("%llu\n", (unsigned long long)(sums[0] ^ sums[1] ^ sums[2]));
}
