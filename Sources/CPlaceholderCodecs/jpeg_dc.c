#include "jpeg_reader.h"

// The last bits of DC coefficients are cut off, not rounded, so that half of their range is missing on
// average. A coefficient of 0 stays 0, as most of them are in a picture without color; its sample is 128.
void jpeg_fill_dc(lqip_jpeg_reader *reader) {
  const struct jpeg_decompress_struct *info = &reader->info;
  for (int i = 0; i < info->num_components; i++) {
    const int bits = info->coef_bits[i][0];
    const JQUANT_TBL *table = info->comp_info[i].quant_table;
    // A coefficient is 8 times a mean.
    const int64_t half =
        bits > 0 && table ? ((INT64_C(1) << bits) - 1) * table->quantval[0] * 256 / 2 / DCTSIZE : 0;
    // A table of 16 bits can claim more than a sample holds.
    const int32_t missing = half < MAXJSAMPLE * 256 ? (int32_t)half : MAXJSAMPLE * 256;
    for (int32_t sample = 0; sample <= MAXJSAMPLE; sample++)
      reader->filled[i][sample] = sample * 256 + (sample == CENTERJSAMPLE ? 0 : missing);
  }
  reader->fills_dc = true;
}

static JSAMPLE sample_of(int64_t value) {
  return (JSAMPLE)(value < 0 ? 0 : value > MAXJSAMPLE * 256 ? MAXJSAMPLE : (value + 128) >> 8);
}

void jpeg_convert_filled(const lqip_jpeg_reader *reader, JSAMPLE *row) {
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
