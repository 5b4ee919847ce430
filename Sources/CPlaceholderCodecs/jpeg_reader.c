#include "jpeg_reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
  /// The maximum number of pixels for texture detection.
  ///
  /// Decoding a textured image at full size takes several times as long. A progressive image also takes up to 12 MB of
  /// memory for the coefficients of all scans.
  MAX_TEXTURED_PIXELS = 1 << 24,
  MAX_TEXTURED_PROGRESSIVE_PIXELS = 1 << 21,
};

/// Selects gray, RGB or CMYK by the number of components; returns that number. libjpeg converts YCCK to CMYK.
static int choose_color_space(jpeg_reader *reader) {
  j_decompress_ptr info = &reader->info;
  switch (info->num_components) {
    case 1: info->out_color_space = JCS_GRAYSCALE; return 1;
    case 3: info->out_color_space = JCS_RGB; return 3;
    case 4: info->out_color_space = JCS_CMYK; return 4;
    default: codec_fail(reader->codec, LQIP_UNSUPPORTED, "expected 1, 3 or 4 color components");
  }
}

/// Chooses the scale. A progressive image is decoded at full size, or from its DC coefficients alone.
static int choose_scale(jpeg_reader *reader) {
  const struct jpeg_decompress_struct *info = &reader->info;
  const JDIMENSION width = info->image_width, height = info->image_height;
  if (reader->codec->limits.exact || width < MIN_SHORT_SIDE || height < MIN_SHORT_SIDE) return 1;
  const bool is_progressive = info->progressive_mode;
  const int scale = is_progressive ? 8 : codec_scale(width, height, 8);
  const uint64_t most = is_progressive ? MAX_TEXTURED_PROGRESSIVE_PIXELS : MAX_TEXTURED_PIXELS;
  if ((uint64_t)width * height <= most && jpeg_has_texture(reader, scale)) return 1;
  return is_progressive && jpeg_repeats_dc(reader) ? 1 : scale;
}

bool jpeg_has_coefficients(
    const struct jpeg_decompress_struct *info, int components, int count, int missing_bits) {
  for (int i = 0; i < components; i++) {
    // libjpeg sets the table in the first scan of the component.
    if (!info->comp_info[i].quant_table) return false;
    for (int k = 0; info->coef_bits && k < count; k++)
      if (info->coef_bits[i][k] < 0 || info->coef_bits[i][k] > missing_bits) return false;
  }
  return true;
}

/// Returns whether the scans read so far contain all DC coefficients, which may lack up to `missing_bits` low bits.
static bool has_dc(const struct jpeg_decompress_struct *info, int missing_bits) {
  return jpeg_has_coefficients(info, info->num_components, 1, missing_bits);
}

/// Decodes the coefficients of scans to the end of the image, or, unless `missing_bits` is negative, until `has_dc`
/// returns true after a scan.
static void read_scans(jpeg_reader *reader, int missing_bits) {
  j_decompress_ptr info = &reader->info;
  for (;;) {
    int progress = jpeg_consume_input(info);
    jpeg_check_limits((j_common_ptr)info);
    if (progress == JPEG_REACHED_EOI || progress == JPEG_SUSPENDED) return;
    if (progress == JPEG_SCAN_COMPLETED && missing_bits >= 0 && has_dc(info, missing_bits)) return;
  }
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

/// Starts decoding at the scale of the header.
static void start(jpeg_reader *reader) {
  static const char missing_dc[] = "a component has no DC coefficients";
  j_decompress_ptr info = &reader->info;
  lqip_codec *codec = reader->codec;
  const bool dc_only = info->progressive_mode && codec->header.scale > 1;
  const bool is_enough = jpeg_first_scan_is_enough(info);
  reader->uses_row_buffer =
      dc_only && is_enough && !codec->limits.verifies && jpeg_use_row_buffer(reader);
  info->scale_num = 1;
  info->scale_denom = (unsigned)codec->header.scale;
  info->do_block_smoothing = FALSE;
  info->buffered_image = dc_only;
  // Missing bits are filled in before the components are converted.
  if (dc_only) info->out_color_space = info->jpeg_color_space;
  jpeg_start_decompress(info);
  if (dc_only && !reader->uses_row_buffer) {
    read_scans(reader, is_enough ? INT_MAX : 0);
    if (info->coef_bits[0][0] < 0) codec_fail_damaged(codec, missing_dc);
    if (!has_dc(info, INT_MAX)) codec_damage(codec, missing_dc);
    jpeg_start_output(info, info->input_scan_number);
  } else if (
      !dc_only && codec->at_end && jpeg_has_multiple_scans(info) &&
      !jpeg_has_coefficients(info, info->num_components, DCTSIZE2, 0)) {
    codec_damage(codec, "missing scans");
  }
  if (dc_only) jpeg_fill_dc(reader);
  if (!reader->uses_row_buffer) reader->row = unaligned_row(info);
}

static void open_image(lqip_codec *codec) {
  jpeg_reader *reader = codec->reader;
  lqip_header *header = &codec->header;
  reader->codec = codec;
  jpeg_create_reader(reader);
  jpeg_read_header(&reader->info, TRUE);
  header->width = reader->info.image_width;
  header->height = reader->info.image_height;
  codec_check_size(codec, header->width, header->height);
  header->channels = choose_color_space(reader);
  codec->color.icc_profile = jpeg_join_profile(reader);
  header->scale = choose_scale(reader);
  start(reader);
  header->decoded_width = reader->info.output_width;
  header->decoded_height = reader->info.output_height;
}

static void close_image(void *memory) {
  jpeg_reader *reader = memory;
  jpeg_destroy_decompress(&reader->info);
  jpeg_free_segments(reader);
  jpeg_free_probe(reader);
}

// Rows

/// Returns the number of pixels in a truncated row before the end of its data. libjpeg fills the rest with one color.
static JDIMENSION intact_pixel_count(const struct jpeg_decompress_struct *info, const JSAMPLE *row) {
  const size_t size = (size_t)info->output_components;
  const JSAMPLE *last = row + (info->output_width - 1) * size;
  JDIMENSION count = info->output_width;
  while (count > 0 && memcmp(row + (count - 1) * size, last, size) == 0) count--;
  return count;
}

/// Reads the rest of the image to detect damage.
static void verify(jpeg_reader *reader) {
  if (!jpeg_input_complete(&reader->info)) read_scans(reader, -1);
  if (reader->codec->at_end) codec_damage(reader->codec, "no end-of-image marker");
}

static bool read_row(lqip_codec *codec, uint8_t *samples, lqip_row *row) {
  jpeg_reader *reader = codec->reader;
  j_decompress_ptr info = &reader->info;
  const JDIMENSION first_row = info->output_scanline * info->scale_denom;
  bool has_row = info->output_scanline < info->output_height;
  *row = (lqip_row){.y = info->output_scanline, .step_x = 1, .count = info->output_width};
  if (has_row && reader->uses_row_buffer) {
    jpeg_check_limits((j_common_ptr)info);
    jpeg_read_dc_row(reader, samples);
  } else if (has_row) {
    const size_t components = (size_t)info->output_components;
    const JSAMPROW source = reader->row;
    jpeg_read_scanlines(info, &reader->row, 1);
    const JSAMPLE *const sources[] = {source, source + 1, source + 2, source + 3};
    if (info->buffered_image)
      jpeg_convert_filled(reader, sources, components, samples);
    else
      memcpy(samples, source, info->output_width * components);
  }
  if (reader->has_truncated_row && first_row >= reader->truncated_row) {
    has_row = has_row && first_row - reader->truncated_row < jpeg_mcu_row_height(info);
    row->count = intact_pixel_count(info, samples);
  }
  if (!has_row && codec->limits.verifies) verify(reader);
  return has_row;
}

const codec_format jpeg_format = {sizeof(jpeg_reader), open_image, read_row, close_image, false};
