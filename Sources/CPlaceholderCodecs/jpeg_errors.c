#include <stdio.h>
#include <string.h>

#include "jpeg_reader.h"

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
  lqip_jpeg_reader *reader = jpeg_reader_of(info);
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

static void output_message(j_common_ptr info) { (void)info; }

void jpeg_set_errors(lqip_jpeg_reader *reader) {
  reader->info.err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = error_exit;
  reader->errors.emit_message = emit_message;
  reader->errors.output_message = output_message;
}
