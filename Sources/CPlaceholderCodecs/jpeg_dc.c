// Fills in the low bits of DC coefficients that the scans lack, and converts the components.

#include "jpeg_reader.h"

#include <string.h>

// Fixed point: filled samples are in units of 1/64, colors in units of 1/2^20.
enum { UNIT = 64, COLOR_BITS = 20, UNIT_BITS = 14 };

typedef int16_t four_shorts __attribute__((vector_size(8)));
typedef uint8_t four_bytes __attribute__((vector_size(4)));

/// Computes the contribution of each luma, Cb and Cr sample to a color.
///
/// Source: ITU-T T.871, section 7.
static void prepare_colors(lqip_jpeg_reader *reader) {
  const int32_t half = 1 << (COLOR_BITS - 1);
  for (int sample = 0; sample <= MAXJSAMPLE; sample++) {
    const int32_t luma = (reader->filled[0][sample] << UNIT_BITS) + half;
    const int32_t blue = reader->filled[1][sample] - CENTERJSAMPLE * UNIT;
    const int32_t red = reader->filled[2][sample] - CENTERJSAMPLE * UNIT;
    reader->contributions[0][sample] = (jpeg_color){luma, luma, luma};
    reader->contributions[1][sample] = (jpeg_color){0, -5638 * blue, 29032 * blue};
    reader->contributions[2][sample] = (jpeg_color){22970 * red, -11700 * red, 0};
  }
}

// The low bits of DC coefficients are truncated, not rounded, so half of their range is missing on average. A
// coefficient of 0, whose sample is 128, stays 0, so that an image without color remains gray.
void jpeg_fill_dc(lqip_jpeg_reader *reader) {
  const struct jpeg_decompress_struct *info = &reader->info;
  for (int i = 0; i < info->num_components; i++) {
    const int bits = info->coef_bits[i][0];
    const JQUANT_TBL *table = info->comp_info[i].quant_table;
    // A DC coefficient is 8 times the mean of its block.
    const int64_t half =
        bits > 0 && table ? ((INT64_C(1) << bits) - 1) * table->quantval[0] * UNIT / 2 / DCTSIZE : 0;
    // With a 16-bit quantization table, the missing part can exceed the range of a sample.
    const int32_t missing = half < MAXJSAMPLE * UNIT ? (int32_t)half : MAXJSAMPLE * UNIT;
    for (int32_t sample = 0; sample <= MAXJSAMPLE; sample++)
      reader->filled[i][sample] = sample * UNIT + (sample == CENTERJSAMPLE ? 0 : missing);
  }
  if (info->num_components >= COLOR_COUNT) prepare_colors(reader);
  reader->fills_dc = true;
}

static void convert_ycc(
    const lqip_jpeg_reader *reader, JSAMPLE luma, JSAMPLE blue, JSAMPLE red, JSAMPLE *pixel) {
  const jpeg_color color =
      reader->contributions[0][luma] + reader->contributions[1][blue] + reader->contributions[2][red];
  const four_shorts values = __builtin_convertvector(color >> COLOR_BITS, four_shorts);
  const four_shorts minimum = {0}, maximum = minimum + MAXJSAMPLE;
  const four_bytes samples = __builtin_convertvector(
      __builtin_elementwise_min(__builtin_elementwise_max(values, minimum), maximum), four_bytes);
  memcpy(pixel, &samples, COLOR_COUNT);
}

static JSAMPLE nearest_sample(int32_t filled) {
  const int32_t value = (filled + UNIT / 2) / UNIT;
  return (JSAMPLE)(value > MAXJSAMPLE ? MAXJSAMPLE : value);
}

void jpeg_convert_filled(
    const lqip_jpeg_reader *reader, const JSAMPLE *const *samples, size_t step, JSAMPLE *row) {
  const struct jpeg_decompress_struct *info = &reader->info;
  const bool is_ycck = info->out_color_space == JCS_YCCK;
  const bool is_ycc = is_ycck || info->out_color_space == JCS_YCbCr;
  const size_t width = info->output_width;
  const int count = info->output_components;
  if (is_ycc) {
    const JSAMPLE *luma = samples[0], *blue = samples[1], *red = samples[2];
    JSAMPLE *pixel = row;
    for (size_t x = 0; x < width; x++, luma += step, blue += step, red += step, pixel += count)
      convert_ycc(reader, *luma, *blue, *red, pixel);
  }
  if (is_ycck)
    for (size_t x = 0; x < width; x++)
      for (size_t i = 0; i < COLOR_COUNT; i++)
        row[x * MAX_CHANNELS + i] = MAXJSAMPLE - row[x * MAX_CHANNELS + i];
  for (int i = is_ycc ? COLOR_COUNT : 0; i < count; i++) {
    const JSAMPLE *sample = samples[i];
    JSAMPLE *pixel = row + i;
    for (size_t x = 0; x < width; x++, sample += step, pixel += count)
      *pixel = nearest_sample(reader->filled[i][*sample]);
  }
}
