// The callbacks that libjpeg calls: errors, input and segments.

#include "jpeg_reader.h"

#include <stdlib.h>
#include <string.h>

/// Formats libjpeg's message without a prefix such as "Corrupt JPEG data: ", because the error itself reports damage.
static const char *format_message(j_common_ptr info, char message[JMSG_LENGTH_MAX]) {
  static const char *const preambles[] = {"Corrupt JPEG data: ", "Invalid JPEG file structure: "};
  info->err->format_message(info, message);
  for (size_t i = 0; i < sizeof preambles / sizeof *preambles; i++) {
    const size_t length = strlen(preambles[i]);
    if (strncmp(message, preambles[i], length) == 0) return message + length;
  }
  return message;
}

/// Fails because samples do not have 8 bits.
_Noreturn static void refuse_precision(lqip_codec *codec, int bits) {
  char reason[32];
  snprintf(reason, sizeof reason, "%d bits per sample", bits);
  codec_fail(codec, bits > 8 && bits <= 16 ? LQIP_UNSUPPORTED : LQIP_CORRUPT, reason);
}

static void error_exit(j_common_ptr info) {
  lqip_codec *codec = jpeg_reader_of(info)->codec;
  char buffer[JMSG_LENGTH_MAX];
  const char *message = format_message(info, buffer);
  switch (info->err->msg_code) {
    case JERR_BAD_PRECISION: refuse_precision(codec, info->err->msg_parm.i[0]);
    case JERR_EMPTY_IMAGE:
      if (jpeg_reader_of(info)->info.image_width > 0)
        codec_fail(codec, LQIP_UNSUPPORTED, "height 0, to be defined by a DNL marker");
      codec_fail(codec, LQIP_CORRUPT, message);
    case JERR_SOF_UNSUPPORTED:
      codec_fail(codec, LQIP_UNSUPPORTED, "lossless or hierarchical coding");
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED: codec_fail(codec, LQIP_UNSUPPORTED, message);
    case JERR_OUT_OF_MEMORY: codec_fail(codec, LQIP_OUT_OF_MEMORY, message);
    case JERR_IMAGE_TOO_BIG: codec_fail(codec, LQIP_TOO_LARGE, message);
    case JERR_NO_BACKING_STORE: codec_fail(codec, LQIP_TOO_LARGE, "decoding needs too much memory");
    default: codec_fail_damaged(codec, message);
  }
}

/// Returns whether a warning indicates lost pixels. Other warnings also occur in intact photos.
static bool is_damage(const struct jpeg_decompress_struct *info, int code) {
  switch (code) {
    // After the end of the data, the arithmetic decoder continues with zeros and reports no damage.
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

static void emit_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  jpeg_reader *reader = jpeg_reader_of(info);
  char buffer[JMSG_LENGTH_MAX];
  const char *message = format_message(info, buffer);
  if (!is_damage(&reader->info, info->err->msg_code)) {
    codec_warn(reader->codec, message);
  } else {
    // If the first scan ends early, the remaining rows have no data. Later scans only refine rows.
    if (reader->codec->at_end && !reader->has_truncated_row && reader->info.input_scan_number <= 1) {
      reader->has_truncated_row = true;
      reader->truncated_row = reader->info.input_iMCU_row * jpeg_mcu_row_height(&reader->info);
    }
    codec_damage(reader->codec, message);
  }
}

void jpeg_check_limits(j_common_ptr info) {
  const jpeg_reader *reader = jpeg_reader_of(info);
  if (reader->info.input_scan_number > reader->codec->limits.max_scans)
    codec_fail(reader->codec, LQIP_TOO_LARGE, "too many scans");
  codec_check_deadline(reader->codec);
}

// Input

static void init_source(j_decompress_ptr info) {
  lqip_codec *codec = jpeg_reader_of((j_common_ptr)info)->codec;
  info->src->next_input_byte = codec->next;
  info->src->bytes_in_buffer = codec->available;
}

// The EOI marker at the end of the data makes libjpeg finish with a warning.
static boolean fill_input_buffer(j_decompress_ptr info) {
  static const JOCTET end_of_image[] = {0xFF, JPEG_EOI};
  lqip_codec *codec = jpeg_reader_of((j_common_ptr)info)->codec;
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
    if (jpeg_reader_of((j_common_ptr)info)->codec->at_end) return;
  }
  if (count > 0) {
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
  }
}

// The Exif and ICC segments of the header
//
// Replaces jpeg_save_markers, which before libjpeg-turbo 3.0.4 takes time quadratic in the number of segments.

enum { MAX_SEGMENT_SIZE = 65533, MAX_ICC_SIZE = 4 << 20 };

// The signatures include the terminating zero of the literal.
static const char exif_signature[] = "Exif\0";
static const char icc_signature[] = "ICC_PROFILE";

static uint8_t read_byte(j_decompress_ptr info) {
  if (info->src->bytes_in_buffer == 0) fill_input_buffer(info);
  if (jpeg_reader_of((j_common_ptr)info)->codec->at_end) ERREXIT(info, JERR_INPUT_EOF);
  info->src->bytes_in_buffer--;
  return *info->src->next_input_byte++;
}

/// Reads a segment into an array of `MAX_SEGMENT_SIZE` bytes, and returns its size.
static size_t read_segment(j_decompress_ptr info, uint8_t *segment) {
  int length = read_byte(info) << 8;
  length |= read_byte(info);
  if (length < 2) ERREXIT(info, JERR_BAD_LENGTH);
  const size_t count = (size_t)length - 2;
  for (size_t i = 0; i < count;) {
    segment[i++] = read_byte(info);
    const size_t held = info->src->bytes_in_buffer;
    const size_t piece = held < count - i ? held : count - i;
    memcpy(segment + i, info->src->next_input_byte, piece);
    info->src->next_input_byte += piece;
    info->src->bytes_in_buffer -= piece;
    i += piece;
  }
  return count;
}

/// Copies the contents of a segment after its prefix of `prefix` bytes.
static lqip_bytes copy_of(lqip_codec *codec, const uint8_t *segment, size_t prefix, size_t count) {
  const size_t size = count - prefix;
  uint8_t *copy = codec_allocate(codec, NULL, size + 1);
  memcpy(copy, segment + prefix, size);
  return (lqip_bytes){copy, size};
}

static boolean read_exif_segment(j_decompress_ptr info) {
  lqip_codec *codec = jpeg_reader_of((j_common_ptr)info)->codec;
  uint8_t segment[MAX_SEGMENT_SIZE];
  const size_t count = read_segment(info, segment), prefix = sizeof exif_signature;
  if (!codec->exif.bytes && count >= prefix && memcmp(segment, exif_signature, prefix) == 0)
    codec->exif = copy_of(codec, segment, prefix, count);
  return TRUE;
}

/// Stores the first segment with each number. The signature precedes the number and the number of segments.
static boolean read_icc_segment(j_decompress_ptr info) {
  jpeg_reader *reader = jpeg_reader_of((j_common_ptr)info);
  uint8_t segment[MAX_SEGMENT_SIZE];
  const size_t count = read_segment(info, segment), prefix = sizeof icc_signature + 2;
  if (count < prefix || memcmp(segment, icc_signature, sizeof icc_signature) != 0) return TRUE;
  const int number = segment[prefix - 2];
  if (number == 0 || reader->icc_segments[number].bytes ||
      reader->icc_size + count - prefix > MAX_ICC_SIZE)
    return TRUE;
  reader->icc_segments[number] = copy_of(reader->codec, segment, prefix, count);
  reader->icc_size += count - prefix;
  reader->icc_segment_count = segment[prefix - 1];
  return TRUE;
}

void jpeg_free_segments(jpeg_reader *reader) {
  for (int i = 1; i <= MAX_ICC_SEGMENTS; i++) free((void *)reader->icc_segments[i].bytes);
  free(reader->icc);
  free((void *)reader->codec->exif.bytes);
}

lqip_bytes jpeg_join_profile(jpeg_reader *reader) {
  size_t size = 0;
  reader->icc = codec_allocate(reader->codec, NULL, reader->icc_size + 1);
  for (int i = 1; i <= reader->icc_segment_count; i++) {
    const lqip_bytes segment = reader->icc_segments[i];
    if (!segment.bytes) return (lqip_bytes){NULL, 0};
    memcpy(reader->icc + size, segment.bytes, segment.count);
    size += segment.count;
  }
  return (lqip_bytes){reader->icc, size};
}

static void term_source(j_decompress_ptr info) { (void)info; }

void jpeg_create_reader(jpeg_reader *reader) {
  j_decompress_ptr info = &reader->info;
  info->client_data = reader;
  info->err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = error_exit;
  reader->errors.emit_message = emit_message;
  jpeg_create_decompress(info);
  info->mem->max_memory_to_use = (long)reader->codec->limits.max_memory;
  reader->progress.progress_monitor = jpeg_check_limits;
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
