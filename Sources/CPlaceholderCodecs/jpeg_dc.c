#include "jpeg_reader.h"

// Filled samples are in units of 1/64, colors in units of 1/2^20, which 32 bits hold with room for a sum.
enum { UNIT = 64, COLOR_BITS = 20, UNIT_BITS = 14 };

// The last bits of DC coefficients are cut off, not rounded, so that half of their range is missing on
// average. A coefficient of 0 stays 0, as most of them are in a picture without color; its sample is 128.
void jpeg_fill_dc(lqip_jpeg_reader *reader) {
  const struct jpeg_decompress_struct *info = &reader->info;
  for (int i = 0; i < info->num_components; i++) {
    const int bits = info->coef_bits[i][0];
    const JQUANT_TBL *table = info->comp_info[i].quant_table;
    // A coefficient is 8 times a mean.
    const int64_t half =
        bits > 0 && table ? ((INT64_C(1) << bits) - 1) * table->quantval[0] * UNIT / 2 / DCTSIZE : 0;
    // A table of 16 bits can claim more than a sample holds.
    const int32_t missing = half < MAXJSAMPLE * UNIT ? (int32_t)half : MAXJSAMPLE * UNIT;
    for (int32_t sample = 0; sample <= MAXJSAMPLE; sample++)
      reader->filled[i][sample] = sample * UNIT + (sample == CENTERJSAMPLE ? 0 : missing);
  }
  reader->fills_dc = true;
}

static JSAMPLE sample_of(int32_t color) {
  const int32_t value = (color + (1 << (COLOR_BITS - 1))) >> COLOR_BITS;
  return (JSAMPLE)(value < 0 ? 0 : value > MAXJSAMPLE ? MAXJSAMPLE : value);
}

/// Turns luma and the two kinds of chroma into colors: ITU-T T.871, section 7.
static void convert_ycc(const lqip_jpeg_reader *reader, JSAMPLE *pixel) {
  const int32_t luma = reader->filled[0][pixel[0]] << UNIT_BITS;
  const int32_t blue = reader->filled[1][pixel[1]] - CENTERJSAMPLE * UNIT;
  const int32_t red = reader->filled[2][pixel[2]] - CENTERJSAMPLE * UNIT;
  pixel[0] = sample_of(luma + 22970 * red);
  pixel[1] = sample_of(luma - 5638 * blue - 11700 * red);
  pixel[2] = sample_of(luma + 29032 * blue);
}

void jpeg_convert_filled(const lqip_jpeg_reader *reader, JSAMPLE *row) {
  const struct jpeg_decompress_struct *info = &reader->info;
  const bool is_ycck = info->out_color_space == JCS_YCCK;
  const bool is_ycc = is_ycck || info->out_color_space == JCS_YCbCr;
  const int count = info->output_components;
  for (JSAMPLE *end = row + (size_t)info->output_width * (size_t)count; row < end; row += count) {
    if (is_ycc) convert_ycc(reader, row);
    for (int i = is_ycc ? 3 : 0; i < count; i++)
      row[i] = sample_of(reader->filled[i][row[i]] << UNIT_BITS);
    if (is_ycck)
      for (int i = 0; i < 3; i++) row[i] = MAXJSAMPLE - row[i];
  }
}
