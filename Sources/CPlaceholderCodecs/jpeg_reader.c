#include "jpeg_reader.h"

#include <stdlib.h>
#include <string.h>

#include "jpeg_dc_rows.h"

static void check_limits(lqip_jpeg_reader *reader) {
  if (reader->info.input_scan_number > reader->codec->limits.max_scans)
    codec_fail(reader->codec, LQIP_TOO_LARGE, "too many scans");
  codec_check_deadline(reader->codec);
}

static void progress_monitor(j_common_ptr info) { check_limits(jpeg_reader_of(info)); }

// Entry points

lqip_jpeg_reader *lqip_jpeg_reader_create(lqip_codec *codec) {
  lqip_jpeg_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->codec = codec;
  reader->info.client_data = reader;
  jpeg_set_errors(reader);
  return reader;
}

void lqip_jpeg_reader_destroy(lqip_jpeg_reader *reader) {
  if (reader->is_created) jpeg_destroy_decompress(&reader->info);
  jpeg_free_segments(reader);
  jpeg_free_probe(reader);
  free(reader);
}

static void prepare(lqip_jpeg_reader *reader) {
  j_decompress_ptr info = &reader->info;
  jpeg_create_decompress(info);
  reader->is_created = true;
  info->mem->max_memory_to_use = (long)reader->codec->limits.max_memory;
  reader->progress.progress_monitor = progress_monitor;
  info->progress = &reader->progress;
  jpeg_set_source(reader);
  jpeg_store_segments(reader);
}

/// Selects gray, RGB or CMYK by the number of components; returns that number. libjpeg converts YCCK to CMYK.
static int choose_color_space(lqip_jpeg_reader *reader) {
  j_decompress_ptr info = &reader->info;
  switch (info->num_components) {
    case 1: info->out_color_space = JCS_GRAYSCALE; return 1;
    case 3: info->out_color_space = JCS_RGB; return 3;
    case 4: info->out_color_space = JCS_CMYK; return 4;
    default: codec_fail(reader->codec, LQIP_UNSUPPORTED, "expected 1, 3 or 4 color components");
  }
}

bool lqip_jpeg_reader_read_header(lqip_jpeg_reader *reader, lqip_header *header) {
  if (setjmp(reader->codec->failed)) return false;
  prepare(reader);
  jpeg_read_header(&reader->info, TRUE);
  codec_check_size(
      reader->codec, reader->info.image_width, reader->info.image_height,
      reader->codec->limits.max_jpeg_pixels);
  header->width = reader->info.image_width;
  header->height = reader->info.image_height;
  header->channels = choose_color_space(reader);
  return true;
}

bool lqip_jpeg_reader_is_progressive(const lqip_jpeg_reader *reader) {
  return reader->info.progressive_mode;
}

/// Returns whether the scans read so far contain the DC coefficients of all components, perhaps without their low bits.
static bool has_dc(const struct jpeg_decompress_struct *info) {
  for (int i = 0; i < info->num_components; i++)
    if (info->coef_bits[i][0] < 0) return false;
  return true;
}

/// Returns whether the scans read so far contain all bits of the DC coefficients.
static bool has_complete_dc(const struct jpeg_decompress_struct *info) {
  for (int i = 0; i < info->num_components; i++)
    if (info->coef_bits[i][0] != 0) return false;
  return true;
}

/// Returns whether the scans read so far contain all bits of all coefficients.
static bool has_all_coefficients(const struct jpeg_decompress_struct *info) {
  for (int i = 0; i < info->num_components; i++) {
    // libjpeg sets the table in the first scan of the component.
    if (!info->comp_info[i].quant_table) return false;
    for (int k = 0; info->coef_bits && k < DCTSIZE2; k++)
      if (info->coef_bits[i][k] != 0) return false;
  }
  return true;
}

/// Decodes the coefficients of scans until `is_enough` returns true after a scan, or to the end of the image.
static void read_scans(
    lqip_jpeg_reader *reader, bool (*is_enough)(const struct jpeg_decompress_struct *)) {
  j_decompress_ptr info = &reader->info;
  for (;;) {
    int progress = jpeg_consume_input(info);
    check_limits(reader);
    if (progress == JPEG_REACHED_EOI || progress == JPEG_SUSPENDED) return;
    if (progress == JPEG_SCAN_COMPLETED && is_enough && is_enough(info)) return;
  }
}

/// Returns the number of pixels in a truncated row before the end of its data. libjpeg fills the rest with one color.
static JDIMENSION intact_pixel_count(const struct jpeg_decompress_struct *info, const JSAMPLE *row) {
  const size_t size = (size_t)info->output_components;
  const JSAMPLE *last = row + (info->output_width - 1) * size;
  JDIMENSION count = info->output_width;
  while (count > 0 && memcmp(row + (count - 1) * size, last, size) == 0) count--;
  return count;
}

/// Allocates a row whose address is not a multiple of 16.
///
/// libjpeg-turbo writes aligned rows with instructions that bypass the cache, which makes reading such a row back three
/// times as slow.
static JSAMPROW unaligned_row(j_decompress_ptr info) {
  enum { alignment = 64, offset = 8 };
  const size_t size = (size_t)info->output_width * (size_t)info->output_components;
  void *memory = info->mem->alloc_large((j_common_ptr)info, JPOOL_IMAGE, size + alignment + offset);
  return (JSAMPROW)(((uintptr_t)memory + alignment - 1) / alignment * alignment + offset);
}

bool lqip_jpeg_reader_start(
    lqip_jpeg_reader *reader, int scale, bool dc_only, bool verifies, lqip_header *header) {
  static const char missing_dc[] = "a component has no DC coefficients";
  if (setjmp(reader->codec->failed)) return false;
  j_decompress_ptr info = &reader->info;
  const bool is_enough = jpeg_first_scan_is_enough(info);
  reader->uses_row_buffer = dc_only && is_enough && !verifies && jpeg_has_dc_in_first_scan(info);
  if (reader->uses_row_buffer) jpeg_use_row_buffer(reader);
  info->scale_num = 1;
  info->scale_denom = (unsigned)scale;
  info->do_block_smoothing = FALSE;
  info->buffered_image = dc_only;
  // Missing bits are filled in before the components are converted.
  if (dc_only) info->out_color_space = info->jpeg_color_space;
  jpeg_start_decompress(info);
  if (dc_only && !reader->uses_row_buffer) {
    read_scans(reader, is_enough ? has_dc : has_complete_dc);
    if (info->coef_bits[0][0] < 0) codec_fail_damaged(reader->codec, missing_dc);
    if (!has_dc(info)) codec_damage(reader->codec, missing_dc);
    jpeg_start_output(info, info->input_scan_number);
  } else if (!dc_only && reader->codec->at_end && jpeg_has_multiple_scans(info) && !has_all_coefficients(info)) {
    codec_damage(reader->codec, "missing scans");
  }
  if (dc_only) jpeg_fill_dc(reader);
  if (!reader->uses_row_buffer) reader->row = unaligned_row(info);
  header->width = info->output_width;
  header->height = info->output_height;
  header->channels = info->output_components;
  return true;
}

bool lqip_jpeg_reader_read_row(
    lqip_jpeg_reader *reader, uint8_t *row, uint32_t *count, bool *has_row) {
  if (setjmp(reader->codec->failed)) return false;
  j_decompress_ptr info = &reader->info;
  const JDIMENSION first_row = info->output_scanline * info->scale_denom;
  *count = info->output_width;
  *has_row = info->output_scanline < info->output_height;
  if (*has_row && reader->uses_row_buffer) {
    check_limits(reader);
    jpeg_read_dc_row(reader, row);
  } else if (*has_row) {
    const size_t components = (size_t)info->output_components;
    const JSAMPROW source = reader->row;
    jpeg_read_scanlines(info, &reader->row, 1);
    const JSAMPLE *const samples[] = {source, source + 1, source + 2, source + 3};
    if (reader->fills_dc)
      jpeg_convert_filled(reader, samples, components, row);
    else
      memcpy(row, source, info->output_width * components);
  }
  if (reader->has_truncated_row && first_row >= reader->truncated_row) {
    *has_row = *has_row && first_row - reader->truncated_row < jpeg_mcu_row_height(info);
    *count = intact_pixel_count(info, row);
  }
  return true;
}

bool lqip_jpeg_reader_verify(lqip_jpeg_reader *reader) {
  if (setjmp(reader->codec->failed)) return false;
  j_decompress_ptr info = &reader->info;
  if (!jpeg_input_complete(info)) read_scans(reader, NULL);
  if (reader->codec->at_end) codec_damage(reader->codec, "no end-of-image marker");
  return true;
}
