#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "lqip_jpeg.h"

#include <jpeglib.h>

#include <jerror.h>

// libjpeg's own handlers print, and end the program.
_Noreturn static void fail(j_common_ptr info) { longjmp(*(jmp_buf *)info->client_data, 1); }

static void ignore_message(j_common_ptr info) { (void)info; }

/// False where libjpeg gave up.
static bool write_image(
    struct jpeg_compress_struct *info, jmp_buf *way_out, const uint8_t *rgb, uint32_t width,
    uint32_t height, int quality, unsigned char **file, unsigned long *count) {
  if (setjmp(*way_out)) return false;
  jpeg_create_compress(info);
  jpeg_mem_dest(info, file, count);
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
  unsigned char *file = NULL;
  unsigned long size = 0;
  info.err = jpeg_std_error(&errors);
  errors.error_exit = fail;
  errors.output_message = ignore_message;
  info.client_data = &way_out;
  bool is_written =
      write_image(&info, &way_out, rgb, width, height, quality, &file, &size);
  jpeg_destroy_compress(&info);
  if (!is_written) {
    free(file);
    return NULL;
  }
  *count = size;
  return file;
}

void lqip_jpeg_free(uint8_t *file) { free(file); }
