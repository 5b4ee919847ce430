#include "jpeg_reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
  /// The minimum length of the short side of an image of which each block has a single mean, in pixels.
  MIN_SIDE_OF_MEANS = 768,
  /// The same for a progressive image, of which quarters take two more scans and twice the time.
  MIN_PROGRESSIVE_SIDE_OF_MEANS = 384,
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

/// Returns whether the scans read so far contain the first `count` coefficients of all components.
static bool has_coefficients(const struct jpeg_decompress_struct *info, int count, int missing_bits) {
  for (int i = 0; i < info->num_components; i++) {
    // libjpeg sets the table in the first scan of the component.
    if (!info->comp_info[i].quant_table) return false;
    for (int k = 0; info->coef_bits && k < count; k++)
      if (info->coef_bits[i][k] < 0 || info->coef_bits[i][k] > missing_bits) return false;
  }
  return true;
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

/// Starts decoding with libjpeg at a scale. A progressive image is read to its end.
static void start(jpeg_reader *reader, int scale) {
  static const char missing_dc[] = "a component has no DC coefficients";
  j_decompress_ptr info = &reader->info;
  info->scale_num = 1;
  info->scale_denom = (unsigned)scale;
  info->do_block_smoothing = FALSE;
  jpeg_start_decompress(info);
  if (jpeg_has_multiple_scans(info)) {
    if (info->coef_bits && info->coef_bits[0][0] < 0)
      codec_fail_damaged(reader->codec, missing_dc);
    if (!has_coefficients(info, 1, INT_MAX))
      codec_damage(reader->codec, missing_dc);
    else if (reader->codec->at_end && !has_coefficients(info, DCTSIZE2, 0))
      codec_damage(reader->codec, "missing scans");
  }
  reader->row = unaligned_row(info);
}

/// Chooses between the blocks and libjpeg, and the scale; starts decoding.
static void choose_decoding(jpeg_reader *reader) {
  lqip_header *header = &reader->codec->header;
  const JDIMENSION width = header->width, height = header->height;
  const JDIMENSION side = width < height ? width : height;
  const bool is_progressive = reader->info.progressive_mode;
  header->scale = 1;
  if (reader->codec->limits.exact || side < MIN_SHORT_SIDE) return start(reader, 1);
  const JDIMENSION side_of_means = is_progressive ? MIN_PROGRESSIVE_SIDE_OF_MEANS : MIN_SIDE_OF_MEANS;
  reader->means_per_side = side >= side_of_means ? 1 : 2;
  if (jpeg_read_blocks(reader)) {
    reader->uses_blocks = true;
    header->scale = DCTSIZE / (int)reader->means_per_side;
    header->has_mean_light = reader->has_variances;
  } else {
    header->scale = is_progressive ? 1 : codec_scale(width, height, DCTSIZE);
    start(reader, header->scale);
  }
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
  choose_decoding(reader);
  const uint32_t scale = (uint32_t)header->scale;
  header->decoded_width = (header->width + scale - 1) / scale;
  header->decoded_height = (header->height + scale - 1) / scale;
}

static void close_image(void *memory) {
  jpeg_reader *reader = memory;
  jpeg_destroy_decompress(&reader->info);
  jpeg_free_segments(reader);
  jpeg_free_blocks(reader);
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
  j_decompress_ptr info = &reader->info;
  if (reader->uses_blocks) {
    start(reader, DCTSIZE);
    while (info->output_scanline < info->output_height) jpeg_read_scanlines(info, &reader->row, 1);
  }
  while (!jpeg_input_complete(info)) {
    const int progress = jpeg_consume_input(info);
    jpeg_check_limits((j_common_ptr)info);
    if (progress == JPEG_REACHED_EOI || progress == JPEG_SUSPENDED) break;
  }
  if (reader->codec->at_end) codec_damage(reader->codec, "no end-of-image marker");
}

static bool read_row(lqip_codec *codec, uint8_t *samples, lqip_row *row) {
  jpeg_reader *reader = codec->reader;
  j_decompress_ptr info = &reader->info;
  const JDIMENSION y = reader->next_row++, first_row = y * (JDIMENSION)codec->header.scale;
  bool has_row = y < codec->header.decoded_height;
  *row = (lqip_row){.y = y, .step_x = 1, .count = codec->header.decoded_width};
  if (has_row && reader->uses_blocks) {
    jpeg_read_light_row(reader, y, samples);
  } else if (has_row) {
    jpeg_read_scanlines(info, &reader->row, 1);
    memcpy(samples, reader->row, info->output_width * (size_t)info->output_components);
  }
  if (reader->has_truncated_row && first_row >= reader->truncated_row) {
    has_row = has_row && first_row - reader->truncated_row < jpeg_mcu_row_height(info);
    row->count = intact_pixel_count(info, samples);
  }
  if (!has_row && codec->limits.verifies)
    verify(reader);
  else if (!has_row && reader->uses_blocks && info->progressive_mode)
    codec->leaves_rest = !codec_ends_with(codec, 0xFF, JPEG_EOI);
  return has_row;
}

const codec_format jpeg_format = {sizeof(jpeg_reader), open_image, read_row, close_image, false};
