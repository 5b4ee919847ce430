#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "lqip_writers.h"

typedef struct {
  struct jpeg_compress_struct info;
  struct jpeg_error_mgr errors;
  jmp_buf failed;
} writer;

_Noreturn static void fail(j_common_ptr info) { longjmp(((writer *)info->client_data)->failed, 1); }

static void ignore_message(j_common_ptr info, int level) { (void)info, (void)level; }

/// Sets the compression parameters.
///
/// All components share one quantization table and one pair of Huffman tables, because additional tables take more
/// bytes than they save. The JFIF header is omitted; without it, the component numbers 1, 2 and 3 imply YCbCr.
static void set_parameters(j_compress_ptr info, uint32_t width, uint32_t height) {
  info->image_width = width;
  info->image_height = height;
  info->input_components = 4;
  info->in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(info);
  jpeg_set_quality(info, 50, TRUE);
  info->write_JFIF_header = FALSE;
  info->optimize_coding = TRUE;
  for (int i = 0; i < info->num_components; i++) {
    info->comp_info[i].quant_tbl_no = 0;
    info->comp_info[i].dc_tbl_no = 0;
    info->comp_info[i].ac_tbl_no = 0;
  }
}

size_t lqip_jpeg_write(
    const uint8_t *samples, uint32_t width, uint32_t height, uint8_t *file, size_t capacity) {
  writer writer = {0};
  unsigned char *bytes = file;
  unsigned long count = capacity;
  j_compress_ptr info = &writer.info;
  info->err = jpeg_std_error(&writer.errors);
  writer.errors.error_exit = fail;
  writer.errors.emit_message = ignore_message;
  info->client_data = &writer;
  if (setjmp(writer.failed)) {
    jpeg_destroy_compress(info);
    return 0;
  }
  jpeg_create_compress(info);
  jpeg_mem_dest(info, &bytes, &count);
  set_parameters(info, width, height);
  jpeg_start_compress(info, TRUE);
  while (info->next_scanline < height) {
    // libjpeg does not write to the row, although its parameter is not const.
    JSAMPROW row = (JSAMPROW)samples + (size_t)info->next_scanline * width * 4;
    jpeg_write_scanlines(info, &row, 1);
  }
  jpeg_finish_compress(info);
  jpeg_destroy_compress(info);
  if (bytes == file) return count;
  // libjpeg has replaced the full buffer.
  free(bytes);
  return 0;
}
