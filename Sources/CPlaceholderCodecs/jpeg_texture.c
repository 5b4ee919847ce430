// Whether an image is so rough that its mean light is lost in a smaller one.

#include "jpeg_rest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jpeg_lockstep.h"

enum {
  /// Of so many pixels, one is read at full size.
  PIXELS_PER_SAMPLED = 128,
  HEADER_SIZE = 64,
};

/// The bits a pixel, plus the logarithm of the mean step of the quantization, above which nothing is read at a smaller
/// scale: of 879 images from games, manuals and the web, 56 were off by more than 2/255 in their mean without this, 13
/// with it.
static const double texture_bits = 6.75;
/// Fewer bits a pixel are of a coarse picture, however large the steps are.
static const double least_bits = 1.5;
/// The loss of light in the sampled pixels, in steps of 8 bits, above which nothing is read at a smaller scale.
static const double most_loss = 12;

/// Whether the marker of the image's end is among some bytes: its own data has no such pair.
static bool has_end(const uint8_t *bytes, size_t count) {
  const uint8_t *const end = bytes + count;
  for (; end - bytes > 1; bytes++) {
    bytes = memchr(bytes, 0xFF, (size_t)(end - bytes) - 1);
    if (!bytes) return false;
    if (bytes[1] == JPEG_EOI) return true;
  }
  return false;
}

/// Whether the image's data takes more bytes than these, without what some cameras put behind it.
static bool takes_more_than(lqip_jpeg_reader *reader, size_t count) {
  const struct jpeg_source_mgr *source = reader->info.src;
  const size_t held = source->bytes_in_buffer;
  if (held <= count && codec_rest(reader->codec) <= count - held) return false;
  if (has_end(source->next_input_byte, held < count ? held : count)) return false;
  if (held > count) return true;
  const size_t missing = count - held;
  const lqip_bytes ahead = codec_look_ahead(reader->codec, missing + 1);
  if (ahead.count <= missing) return false;
  const bool is_split = held > 0 && missing > 0 && source->next_input_byte[held - 1] == 0xFF;
  return !(is_split && ahead.bytes[0] == JPEG_EOI) && !has_end(ahead.bytes, missing);
}

/// Whether the image has so many bits a pixel that it must be rough.
static bool has_many_bits(lqip_jpeg_reader *reader) {
  const struct jpeg_decompress_struct *info = &reader->info;
  const JQUANT_TBL *table = jpeg_first_table(info);
  double step = 0;
  for (int k = 0; table && k < DCTSIZE2; k++) step += table->quantval[k] / (double)DCTSIZE2;
  const double bits = fmax(least_bits, texture_bits - log2(step));
  const double bytes = bits / 8 * info->image_width * info->image_height;
  // Of a step of zero, that is infinite.
  return bytes < (double)reader->codec->limits.max_memory && takes_more_than(reader, (size_t)bytes);
}

// The sampled pixels

/// A second decoder, for the first rows of blocks, or a part of one: to it, they are the image.
struct jpeg_sample {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  jmp_buf failed;
  jpeg_rest rest;
  uint8_t header[HEADER_SIZE];
};

static struct jpeg_sample *sample_of(j_common_ptr info) { return info->client_data; }

_Noreturn static void fail(j_common_ptr info) { longjmp(sample_of(info)->failed, 1); }

static void ignore_message(j_common_ptr info, int level) { (void)info, (void)level; }

static void keep_source(j_decompress_ptr info) { (void)info; }

static boolean fill(j_decompress_ptr info) {
  struct jpeg_sample *sample = sample_of((j_common_ptr)info);
  if (!jpeg_has_more(&sample->rest)) fail((j_common_ptr)info);
  info->src->next_input_byte = sample->rest.bytes.bytes;
  info->src->bytes_in_buffer = sample->rest.bytes.count;
  sample->rest.bytes.count = 0;
  return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
  while (count > (long)info->src->bytes_in_buffer) {
    count -= (long)info->src->bytes_in_buffer;
    fill(info);
  }
  info->src->next_input_byte += count;
  info->src->bytes_in_buffer -= (size_t)count;
}

/// Skips the data of a scan's other blocks, which libjpeg would do byte by byte.
static void skip_scan(struct jpeg_sample *sample) {
  struct jpeg_source_mgr *source = &sample->source;
  if (sample->info.unread_marker != 0) return;
  sample->rest.bytes = (lqip_bytes){source->next_input_byte, source->bytes_in_buffer};
  do jpeg_skip_data(&sample->rest);
  while (sample->rest.bytes.count == 0 && jpeg_has_more(&sample->rest));
  source->next_input_byte = sample->rest.bytes.bytes;
  source->bytes_in_buffer = sample->rest.bytes.count;
  sample->rest.bytes.count = 0;
}

/// Writes the headers of an image of this size and of its first scan; returns how many bytes they take.
static size_t write_header(
    const struct jpeg_decompress_struct *info, JDIMENSION width, JDIMENSION height,
    uint8_t *bytes) {
  uint8_t *next = bytes;
  const uint8_t start[] = {
      0xFF, 0xD8,
      0xFF, 0xDD, 0, 4, (uint8_t)(info->restart_interval >> 8), (uint8_t)info->restart_interval,
      0xFF, info->progressive_mode ? 0xC2 : 0xC1, 0, (uint8_t)(8 + 3 * info->num_components), 8,
      (uint8_t)(height >> 8), (uint8_t)height,
      (uint8_t)(width >> 8), (uint8_t)width,
      (uint8_t)info->num_components,
  };
  memcpy(next, start, sizeof start);
  next += sizeof start;
  for (int i = 0; i < info->num_components; i++) {
    const jpeg_component_info *component = &info->comp_info[i];
    *next++ = (uint8_t)component->component_id;
    *next++ = (uint8_t)(component->h_samp_factor << 4 | component->v_samp_factor);
    *next++ = (uint8_t)component->quant_tbl_no;
  }
  const int count = info->comps_in_scan;
  const uint8_t scan[] = {0xFF, 0xDA, 0, (uint8_t)(6 + 2 * count), (uint8_t)count};
  memcpy(next, scan, sizeof scan);
  next += sizeof scan;
  for (int i = 0; i < count; i++) {
    const jpeg_component_info *component = info->cur_comp_info[i];
    *next++ = (uint8_t)component->component_id;
    *next++ = (uint8_t)(component->dc_tbl_no << 4 | component->ac_tbl_no);
  }
  *next++ = (uint8_t)info->Ss;
  *next++ = (uint8_t)info->Se;
  *next++ = (uint8_t)(info->Ah << 4 | info->Al);
  return (size_t)(next - bytes);
}

static void copy_tables(const struct jpeg_decompress_struct *info, struct jpeg_sample *sample) {
  const j_common_ptr common = (j_common_ptr)&sample->info;
  for (int i = 0; i < NUM_QUANT_TBLS; i++)
    if (info->quant_tbl_ptrs[i])
      *(sample->info.quant_tbl_ptrs[i] = jpeg_alloc_quant_table(common)) = *info->quant_tbl_ptrs[i];
  for (int i = 0; i < NUM_HUFF_TBLS; i++) {
    if (info->dc_huff_tbl_ptrs[i])
      *(sample->info.dc_huff_tbl_ptrs[i] = jpeg_alloc_huff_table(common)) =
          *info->dc_huff_tbl_ptrs[i];
    if (info->ac_huff_tbl_ptrs[i])
      *(sample->info.ac_huff_tbl_ptrs[i] = jpeg_alloc_huff_table(common)) =
          *info->ac_huff_tbl_ptrs[i];
  }
}

/// Whether scans have brought luma's coefficients, be it without their last bits.
static bool knows_luma(const struct jpeg_decompress_struct *info) {
  for (int k = 0; info->coef_bits && k < DCTSIZE2; k++)
    if (info->coef_bits[0][k] < 0) return false;
  return info->comp_info[0].quant_table != NULL;
}

/// Reads scans until luma is known.
static void read_luma(struct jpeg_sample *sample) {
  j_decompress_ptr info = &sample->info;
  while (!knows_luma(info)) {
    const int progress = jpeg_consume_input(info);
    codec_check_deadline(sample->rest.codec);
    if (progress == JPEG_REACHED_EOI ||
        info->input_scan_number > sample->rest.codec->limits.max_scans)
      fail((j_common_ptr)info);
    if (progress == JPEG_SCAN_COMPLETED) skip_scan(sample);
  }
}

/// Chooses how much to read: rows of blocks, or if that is too much the beginning of the first. Only such blocks come
/// in the same order in a smaller image; in scans of luma alone, these rows are lower.
static void choose_size(
    const struct jpeg_decompress_struct *info, bool has_scans, JDIMENSION *width,
    JDIMENSION *height) {
  const JDIMENSION block_width = (JDIMENSION)(info->max_h_samp_factor * DCTSIZE);
  const JDIMENSION block_height = has_scans ? DCTSIZE : jpeg_rows_of_blocks(info);
  // Of at most 16 megapixels.
  const JDIMENSION count = info->image_width * info->image_height / PIXELS_PER_SAMPLED;
  const JDIMENSION rows = count / info->image_width / block_height;
  const JDIMENSION blocks = count / block_height / block_width;
  *width = rows > 0 ? info->image_width : (blocks > 0 ? blocks : 1) * block_width;
  *height = (rows > 0 ? rows : 1) * block_height;
}

static void start_sample(lqip_jpeg_reader *reader) {
  j_decompress_ptr whole = &reader->info;
  const bool has_scans = jpeg_has_multiple_scans(whole);
  JDIMENSION width, height;
  choose_size(whole, has_scans, &width, &height);
  struct jpeg_sample *sample = reader->sample;
  j_decompress_ptr info = &sample->info;
  sample->rest = jpeg_rest_of(reader);
  copy_tables(whole, sample);
  sample->source = (struct jpeg_source_mgr){
      .next_input_byte = sample->header,
      .bytes_in_buffer = write_header(whole, width, height, sample->header),
      .init_source = keep_source,
      .fill_input_buffer = fill,
      .skip_input_data = skip,
      .resync_to_restart = jpeg_resync_to_restart,
      .term_source = keep_source,
  };
  info->src = &sample->source;
  jpeg_read_header(info, TRUE);
  // The first component is luma, or as good.
  if (info->num_components > 1) info->jpeg_color_space = JCS_YCbCr;
  info->out_color_space = JCS_GRAYSCALE;
  info->do_block_smoothing = FALSE;
  info->buffered_image = has_scans;
  jpeg_start_decompress(info);
  if (!has_scans) return;
  read_luma(sample);
  jpeg_start_output(info, info->input_scan_number);
}

/// The loss of light at 1/scale. Light is about the square of a sample.
static double loss_of_light(struct jpeg_sample *sample, unsigned scale) {
  j_decompress_ptr info = &sample->info;
  const j_common_ptr common = (j_common_ptr)info;
  const JDIMENSION width = info->output_width / scale * scale;
  const JDIMENSION height = info->output_height / scale * scale;
  JSAMPARRAY row = info->mem->alloc_sarray(common, JPOOL_IMAGE, info->output_width, 1);
  uint16_t *sums = info->mem->alloc_large(common, JPOOL_IMAGE, width * sizeof *sums);
  uint64_t squares = 0, smaller = 0;
  while (info->output_scanline < height) {
    if (info->output_scanline % scale == 0) memset(sums, 0, width * sizeof *sums);
    jpeg_read_scanlines(info, row, 1);
    // As many as a row has fit into 32 bits.
    uint32_t square = 0;
    for (JDIMENSION x = 0; x < width; x++) {
      sums[x] += row[0][x];
      square += (uint32_t)row[0][x] * row[0][x];
    }
    squares += square;
    if (info->output_scanline % scale != 0) continue;
    for (JDIMENSION x = 0; x < width;) {
      uint64_t sum = 0;
      for (const JDIMENSION end = x + scale; x < end; x++) sum += sums[x];
      smaller += sum * sum;
    }
  }
  const double count = (double)width * height;
  return sqrt((double)squares / count) - sqrt((double)smaller / (scale * scale) / count);
}

void jpeg_free_sample(lqip_jpeg_reader *reader) {
  if (!reader->sample) return;
  jpeg_destroy_decompress(&reader->sample->info);
  free(reader->sample);
  reader->sample = NULL;
}

/// Whether the sampled pixels lose much light; false if they cannot be read.
static bool loses_light(lqip_jpeg_reader *reader, unsigned scale) {
  const struct jpeg_decompress_struct *info = &reader->info;
  if (info->arith_code || info->num_components > COLOR_COUNT) return false;
  struct jpeg_sample *sample = reader->sample = calloc(1, sizeof *sample);
  if (!sample) codec_fail(reader->codec, LQIP_OUT_OF_MEMORY, "out of memory");
  sample->info.err = jpeg_std_error(&sample->errors);
  sample->errors.error_exit = fail;
  sample->errors.emit_message = ignore_message;
  sample->info.client_data = sample;
  volatile bool loses = false;
  if (setjmp(sample->failed) == 0) {
    jpeg_create_decompress(&sample->info);
    start_sample(reader);
    loses = loss_of_light(sample, scale) > most_loss;
  }
  jpeg_free_sample(reader);
  return loses;
}

bool lqip_jpeg_reader_find_texture(lqip_jpeg_reader *reader, int scale, bool *is_textured) {
  if (setjmp(reader->codec->failed)) return false;
  *is_textured = has_many_bits(reader) || (scale > 1 && loses_light(reader, (unsigned)scale));
  return true;
}
