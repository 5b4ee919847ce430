#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "lqip_jpeg.h"

#include <jpeglib.h>

#include <jerror.h>

enum { FIRST_CAPACITY = 4096 };

/// The file as far as it is written. libjpeg's own destination frees it where it fails to grow.
typedef struct {
  struct jpeg_destination_mgr manager;
  uint8_t *bytes;
  size_t capacity;
} output;

static void grow(j_compress_ptr info) {
  output *out = (output *)info->dest;
  const size_t count = out->capacity;
  const size_t capacity = count ? count * 2 : FIRST_CAPACITY;
  uint8_t *grown = realloc(out->bytes, capacity);
  if (!grown) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
  out->bytes = grown;
  out->capacity = capacity;
  out->manager.next_output_byte = grown + count;
  out->manager.free_in_buffer = capacity - count;
}

/// Called when all of the capacity is used.
static boolean empty_buffer(j_compress_ptr info) {
  grow(info);
  return TRUE;
}

static void finish(j_compress_ptr info) { (void)info; }

// libjpeg's own handlers print, and end the program.
_Noreturn static void fail(j_common_ptr info) { longjmp(*(jmp_buf *)info->client_data, 1); }

static void ignore_message(j_common_ptr info) { (void)info; }

/// False where libjpeg gave up.
static bool write_image(
    struct jpeg_compress_struct *info, jmp_buf *way_out, const uint8_t *rgb, uint32_t width,
    uint32_t height, int quality, output *out) {
  if (setjmp(*way_out)) return false;
  jpeg_create_compress(info);
  out->manager.init_destination = grow;
  out->manager.empty_output_buffer = empty_buffer;
  out->manager.term_destination = finish;
  info->dest = &out->manager;
  info->image_width = width;
  info->image_height = height;
  info->input_components = 3;
  info->in_color_space = JCS_RGB;
  jpeg_set_defaults(info);
  jpeg_set_quality(info, quality, TRUE);
  // Without this header, the numbers of the components tell that they are YCbCr.
  info->write_JFIF_header = FALSE;
  info->optimize_coding = TRUE;
  // One table of each kind for all components, as every table takes more bytes than it saves here.
  for (int i = 0; i < info->num_components; i++) {
    info->comp_info[i].quant_tbl_no = 0;
    info->comp_info[i].dc_tbl_no = 0;
    info->comp_info[i].ac_tbl_no = 0;
  }
  jpeg_start_compress(info, TRUE);
  while (info->next_scanline < height) {
    JSAMPROW row = (JSAMPROW)rgb + (size_t)info->next_scanline * width * 3;
    jpeg_write_scanlines(info, &row, 1);
  }
  jpeg_finish_compress(info);
  return true;
}

uint8_t *lqip_jpeg_write_small(
    const uint8_t *rgb, uint32_t width, uint32_t height, int quality, size_t *count) {
  struct jpeg_compress_struct info = {0};
  struct jpeg_error_mgr errors;
  jmp_buf way_out;
  output out = {0};
  info.err = jpeg_std_error(&errors);
  errors.error_exit = fail;
  errors.output_message = ignore_message;
  info.client_data = &way_out;
  bool is_written = write_image(&info, &way_out, rgb, width, height, quality, &out);
  jpeg_destroy_compress(&info);
  if (!is_written) {
    free(out.bytes);
    return NULL;
  }
  *count = out.capacity - out.manager.free_in_buffer;
  return out.bytes;
}

void lqip_jpeg_free(uint8_t *file) { free(file); }
