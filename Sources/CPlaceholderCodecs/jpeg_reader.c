#include "lqip_jpeg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// In this order: each needs what the one before it defines.
#include <jpeglib.h>

#include <jerror.h>

#include "codec.h"
#include "jpeg_lockstep.h"

enum { MAX_CHANNELS = 4, MAX_ICC_SEGMENTS = 255, MAX_ICC_SIZE = 4 << 20, MAX_SEGMENT_SIZE = 65533 };

static const char exif_signature[] = "Exif\0";        // and the literal's own zero
static const char icc_signature[] = "ICC_PROFILE";

struct lqip_jpeg_reader {
  lqip_codec *codec;
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  bool is_created;
  /// In a lenient decode of a truncated image: the first row that is not whole.
  bool is_cut;
  JDIMENSION cut_row;
  /// Whether rows come as the file's own components, and what their samples stand for, in units of 1/256.
  bool fills_dc;
  int32_t filled[MAX_CHANNELS][MAXJSAMPLE + 1];
  uint8_t *exif;
  size_t exif_size;
  /// Segments by their number, which counts from 1.
  uint8_t *icc_segments[MAX_ICC_SEGMENTS + 1];
  size_t icc_segment_sizes[MAX_ICC_SEGMENTS + 1];
  size_t icc_size;
  int icc_segment_count;
  uint8_t *icc;
};

static lqip_jpeg_reader *reader_of(j_common_ptr info) { return info->client_data; }

// Errors and warnings

static void error_exit(j_common_ptr info) {
  lqip_codec *codec = reader_of(info)->codec;
  char message[JMSG_LENGTH_MAX];
  info->err->format_message(info, message);
  switch (info->err->msg_code) {
    case JERR_OUT_OF_MEMORY: codec_fail(codec, LQIP_OUT_OF_MEMORY, message);
    case JERR_IMAGE_TOO_BIG: codec_fail(codec, LQIP_TOO_LARGE, message);
    case JERR_NO_BACKING_STORE: codec_fail(codec, LQIP_TOO_LARGE, "decoding needs too much memory");
    default: codec_fail_damaged(codec, message);
  }
}

/// Whether a warning means lost pixels. The others come from healthy cameras too.
static bool is_damage(const struct jpeg_decompress_struct *info, int code) {
  switch (code) {
    // At the end of the data, the arithmetic decoder goes on with zeros and says nothing.
    case JWRN_JPEG_EOF: return info->arith_code;
    case JWRN_ARITH_BAD_CODE:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_NOT_SEQUENTIAL: return true;
    default: return false;
  }
}

/// The height of a row of interleaved blocks, in pixels of the whole image.
static JDIMENSION rows_of_blocks(const struct jpeg_decompress_struct *info) {
  return (JDIMENSION)(info->max_v_samp_factor * DCTSIZE);
}

static void emit_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  lqip_jpeg_reader *reader = reader_of(info);
  char message[JMSG_LENGTH_MAX];
  info->err->format_message(info, message);
  if (!is_damage(&reader->info, info->err->msg_code)) {
    codec_warn(reader->codec, message);
  } else {
    // Where the first scan ends early, the rows below have nothing; a later one only refines.
    if (reader->codec->at_end && !reader->is_cut && reader->info.input_scan_number <= 1) {
      reader->is_cut = true;
      reader->cut_row = reader->info.input_iMCU_row * rows_of_blocks(&reader->info);
    }
    codec_damage(reader->codec, message);
  }
}

static void output_message(j_common_ptr info) { (void)info; }

static void check_work(lqip_jpeg_reader *reader) {
  if (reader->info.input_scan_number > reader->codec->limits.max_scans)
    codec_fail(reader->codec, LQIP_TOO_LARGE, "too many scans");
  codec_check_deadline(reader->codec);
}

static void progress_monitor(j_common_ptr info) { check_work(reader_of(info)); }

// Source

static void init_source(j_decompress_ptr info) {
  lqip_codec *codec = reader_of((j_common_ptr)info)->codec;
  info->src->next_input_byte = codec->next;
  info->src->bytes_in_buffer = codec->available;
}

/// At the end of the data, an EOI marker lets libjpeg come to its own end, with a warning.
static boolean fill_input_buffer(j_decompress_ptr info) {
  static const JOCTET end_of_image[] = {0xFF, JPEG_EOI};
  lqip_codec *codec = reader_of((j_common_ptr)info)->codec;
  if (codec_fill(codec)) {
    init_source(info);
  } else {
    info->src->next_input_byte = end_of_image;
    info->src->bytes_in_buffer = sizeof end_of_image;
    WARNMS(info, JWRN_JPEG_EOF);
  }
  return TRUE;
}

static void skip_input_data(j_decompress_ptr info, long count) {
  struct jpeg_source_mgr *source = info->src;
  while (count > (long)source->bytes_in_buffer) {
    count -= (long)source->bytes_in_buffer;
    fill_input_buffer(info);
    if (reader_of((j_common_ptr)info)->codec->at_end) return;
  }
  if (count > 0) {
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
  }
}

static void term_source(j_decompress_ptr info) { (void)info; }

// Segments. libjpeg's own jpeg_save_markers takes quadratic time in their number before 3.0.4.

static uint8_t read_byte(j_decompress_ptr info) {
  if (info->src->bytes_in_buffer == 0) fill_input_buffer(info);
  if (reader_of((j_common_ptr)info)->codec->at_end) ERREXIT(info, JERR_INPUT_EOF);
  info->src->bytes_in_buffer--;
  return *info->src->next_input_byte++;
}

/// Reads a segment into the caller's array of `MAX_SEGMENT_SIZE` bytes.
static size_t read_segment(j_decompress_ptr info, uint8_t *segment) {
  int length = read_byte(info) << 8;
  length |= read_byte(info);
  if (length < 2) ERREXIT(info, JERR_BAD_LENGTH);
  size_t count = (size_t)length - 2;
  for (size_t i = 0; i < count; i++) segment[i] = read_byte(info);
  return count;
}

static uint8_t *copy_of(lqip_codec *codec, const uint8_t *bytes, size_t count) {
  uint8_t *copy = malloc(count ? count : 1);
  if (!copy) codec_fail(codec, LQIP_OUT_OF_MEMORY, "out of memory");
  memcpy(copy, bytes, count);
  return copy;
}

static boolean read_exif_segment(j_decompress_ptr info) {
  lqip_jpeg_reader *reader = reader_of((j_common_ptr)info);
  uint8_t segment[MAX_SEGMENT_SIZE];
  size_t count = read_segment(info, segment);
  const size_t prefix = sizeof exif_signature;
  if (reader->exif || count < prefix || memcmp(segment, exif_signature, prefix) != 0) return TRUE;
  reader->exif_size = count - prefix;
  reader->exif = copy_of(reader->codec, segment + prefix, reader->exif_size);
  return TRUE;
}

static boolean read_icc_segment(j_decompress_ptr info) {
  lqip_jpeg_reader *reader = reader_of((j_common_ptr)info);
  uint8_t segment[MAX_SEGMENT_SIZE];
  size_t count = read_segment(info, segment);
  const size_t prefix = sizeof icc_signature + 2;
  if (count < prefix || memcmp(segment, icc_signature, sizeof icc_signature) != 0) return TRUE;
  int number = segment[prefix - 2];
  size_t size = count - prefix;
  if (number == 0 || reader->icc_segments[number] || reader->icc_size + size > MAX_ICC_SIZE)
    return TRUE;
  reader->icc_segments[number] = copy_of(reader->codec, segment + prefix, size);
  reader->icc_segment_sizes[number] = size;
  reader->icc_size += size;
  reader->icc_segment_count = segment[prefix - 1];
  return TRUE;
}

// Entry points

lqip_jpeg_reader *lqip_jpeg_reader_create(lqip_codec *codec) {
  lqip_jpeg_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->codec = codec;
  reader->info.err = jpeg_std_error(&reader->errors);
  reader->info.client_data = reader;
  reader->errors.error_exit = error_exit;
  reader->errors.emit_message = emit_message;
  reader->errors.output_message = output_message;
  return reader;
}

void lqip_jpeg_reader_destroy(lqip_jpeg_reader *reader) {
  if (reader->is_created) jpeg_destroy_decompress(&reader->info);
  for (int i = 0; i <= MAX_ICC_SEGMENTS; i++) free(reader->icc_segments[i]);
  free(reader->icc);
  free(reader->exif);
  free(reader);
}

static void prepare(lqip_jpeg_reader *reader) {
  j_decompress_ptr info = &reader->info;
  jpeg_create_decompress(info);
  reader->is_created = true;
  info->mem->max_memory_to_use = (long)reader->codec->limits.max_memory;
  reader->progress.progress_monitor = progress_monitor;
  info->progress = &reader->progress;
  reader->source.init_source = init_source;
  reader->source.fill_input_buffer = fill_input_buffer;
  reader->source.skip_input_data = skip_input_data;
  reader->source.resync_to_restart = jpeg_resync_to_restart;
  reader->source.term_source = term_source;
  info->src = &reader->source;
  jpeg_set_marker_processor(info, JPEG_APP0 + 1, read_exif_segment);
  jpeg_set_marker_processor(info, JPEG_APP0 + 2, read_icc_segment);
}

/// CMYK and YCCK come out as CMYK; everything else as gray or RGB.
static int choose_color_space(lqip_jpeg_reader *reader) {
  j_decompress_ptr info = &reader->info;
  switch (info->num_components) {
    case 1: info->out_color_space = JCS_GRAYSCALE; return 1;
    case 3: info->out_color_space = JCS_RGB; return 3;
    case 4: info->out_color_space = JCS_CMYK; return 4;
    default: codec_fail(reader->codec, LQIP_CORRUPT, "neither 1, 3 nor 4 color components");
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

bool lqip_jpeg_reader_is_inverted(const lqip_jpeg_reader *reader) {
  return reader->info.saw_Adobe_marker;
}

lqip_bytes lqip_jpeg_reader_exif(const lqip_jpeg_reader *reader) {
  return (lqip_bytes){reader->exif, reader->exif_size};
}

lqip_bytes lqip_jpeg_reader_icc_profile(lqip_jpeg_reader *reader) {
  const lqip_bytes none = {NULL, 0};
  if (reader->icc_segment_count == 0 || reader->icc) return none;
  reader->icc = malloc(reader->icc_size ? reader->icc_size : 1);
  if (!reader->icc) return none;
  size_t count = 0;
  for (int i = 1; i <= reader->icc_segment_count; i++) {
    if (!reader->icc_segments[i]) return none;
    memcpy(reader->icc + count, reader->icc_segments[i], reader->icc_segment_sizes[i]);
    count += reader->icc_segment_sizes[i];
  }
  return (lqip_bytes){reader->icc, count};
}

/// Whether a scan has brought the DC coefficient of every component, be it without its last bits.
static bool knows_dc(const struct jpeg_decompress_struct *info) {
  for (int i = 0; i < info->num_components; i++)
    if (info->coef_bits[i][0] < 0) return false;
  return true;
}

/// Whether the scans have brought all bits of all coefficients.
static bool is_complete(const struct jpeg_decompress_struct *info) {
  for (int i = 0; i < info->num_components; i++) {
    // A component's first scan latches its table.
    if (!info->comp_info[i].quant_table) return false;
    for (int k = 0; info->coef_bits && k < DCTSIZE2; k++)
      if (info->coef_bits[i][k] != 0) return false;
  }
  return true;
}

/// Reads scans into the coefficients, up to the end of one after which `is_enough` holds.
static void read_scans(
    lqip_jpeg_reader *reader, bool (*is_enough)(const struct jpeg_decompress_struct *)) {
  j_decompress_ptr info = &reader->info;
  for (;;) {
    int progress = jpeg_consume_input(info);
    check_work(reader);
    if (progress == JPEG_REACHED_EOI || progress == JPEG_SUSPENDED) return;
    if (progress == JPEG_SCAN_COMPLETED && is_enough && is_enough(info)) return;
  }
}

/// Notes what each sample of a DC coefficient without its last bits stands for.
///
/// These bits are cut off, not rounded, so that half of their range is missing on average. A coefficient
/// of 0 stays 0, as most of them are in a picture without color; its sample is 128.
static void fill_dc(lqip_jpeg_reader *reader) {
  const struct jpeg_decompress_struct *info = &reader->info;
  for (int i = 0; i < info->num_components; i++) {
    const int bits = info->coef_bits[i][0];
    const JQUANT_TBL *table = info->comp_info[i].quant_table;
    // A coefficient is 8 times a mean.
    const int32_t missing =
        bits > 0 && table ? ((1 << bits) - 1) * (int32_t)table->quantval[0] * 256 / 2 / DCTSIZE : 0;
    for (int32_t sample = 0; sample <= MAXJSAMPLE; sample++)
      reader->filled[i][sample] = sample * 256 + (sample == CENTERJSAMPLE ? 0 : missing);
  }
  reader->fills_dc = true;
}

static JSAMPLE sample_of(int64_t value) {
  return (JSAMPLE)(value < 0 ? 0 : value > MAXJSAMPLE * 256 ? MAXJSAMPLE : (value + 128) >> 8);
}

/// Turns a row of the file's own components into what it is without missing bits: gray, RGB or CMYK.
static void convert_filled(const lqip_jpeg_reader *reader, JSAMPLE *row) {
  const struct jpeg_decompress_struct *info = &reader->info;
  const bool is_ycc = info->out_color_space == JCS_YCbCr || info->out_color_space == JCS_YCCK;
  const int count = info->output_components;
  for (JSAMPLE *end = row + (size_t)info->output_width * (size_t)count; row < end; row += count) {
    int64_t values[MAX_CHANNELS];
    for (int i = 0; i < count; i++) values[i] = reader->filled[i][row[i]];
    if (is_ycc) {
      // ITU-T T.871, section 7, in units of 2^-16.
      const int64_t luma = values[0];
      const int64_t blue = values[1] - CENTERJSAMPLE * 256, red = values[2] - CENTERJSAMPLE * 256;
      values[0] = luma + (91881 * red) / 65536;
      values[1] = luma - (22554 * blue + 46802 * red) / 65536;
      values[2] = luma + (116130 * blue) / 65536;
    }
    for (int i = 0; i < count; i++) row[i] = sample_of(values[i]);
    if (info->out_color_space == JCS_YCCK)
      for (int i = 0; i < 3; i++) row[i] = MAXJSAMPLE - row[i];
  }
}

/// The pixels of a row that stand before the place where its data ends.
///
/// libjpeg fills up the rest with one color.
static JDIMENSION pixels_before_cut(const struct jpeg_decompress_struct *info, const JSAMPLE *row) {
  const size_t size = (size_t)info->output_components;
  const JSAMPLE *last = row + (info->output_width - 1) * size;
  JDIMENSION count = info->output_width;
  while (count > 0 && memcmp(row + (count - 1) * size, last, size) == 0) count--;
  return count;
}

bool lqip_jpeg_reader_start(
    lqip_jpeg_reader *reader, int scale, bool dc_only, bool verifies, lqip_header *header) {
  static const char missing_dc[] = "a component has no DC coefficients";
  if (setjmp(reader->codec->failed)) return false;
  j_decompress_ptr info = &reader->info;
  const bool in_lockstep = dc_only && !verifies && jpeg_has_dc_in_first_scan(info);
  if (in_lockstep) jpeg_keep_one_row(info);
  info->scale_num = 1;
  info->scale_denom = (unsigned)scale;
  info->do_block_smoothing = FALSE;
  info->buffered_image = dc_only;
  // Missing bits are filled in before components become colors.
  if (dc_only) info->out_color_space = info->jpeg_color_space;
  jpeg_start_decompress(info);
  if (in_lockstep) {
    jpeg_start_output(info, 1);
  } else if (dc_only) {
    read_scans(reader, knows_dc);
    if (info->coef_bits[0][0] < 0) codec_fail_damaged(reader->codec, missing_dc);
    if (!knows_dc(info)) codec_damage(reader->codec, missing_dc);
    jpeg_start_output(info, info->input_scan_number);
  } else if (reader->codec->at_end && jpeg_has_multiple_scans(info) && !is_complete(info)) {
    codec_damage(reader->codec, "scans are missing");
  }
  if (dc_only) fill_dc(reader);
  header->width = info->output_width;
  header->height = info->output_height;
  header->channels = info->output_components;
  return true;
}

bool lqip_jpeg_reader_read_row(
    lqip_jpeg_reader *reader, uint8_t *row, uint32_t *count, bool *has_row) {
  if (setjmp(reader->codec->failed)) return false;
  j_decompress_ptr info = &reader->info;
  JSAMPROW rows[] = {row};
  const JDIMENSION first_row = info->output_scanline * info->scale_denom;
  *count = info->output_width;
  *has_row = info->output_scanline < info->output_height;
  if (*has_row) jpeg_read_scanlines(info, rows, 1);
  if (reader->is_cut && first_row >= reader->cut_row) {
    *has_row = *has_row && first_row - reader->cut_row < rows_of_blocks(info);
    *count = pixels_before_cut(info, row);
  }
  if (reader->fills_dc) convert_filled(reader, row);
  return true;
}

bool lqip_jpeg_reader_verify(lqip_jpeg_reader *reader) {
  if (setjmp(reader->codec->failed)) return false;
  j_decompress_ptr info = &reader->info;
  if (!jpeg_input_complete(info)) read_scans(reader, NULL);
  if (reader->codec->at_end) codec_damage(reader->codec, "no end-of-image marker");
  return true;
}
