// Converts the means and variances of blocks to rows whose samples have the mean light of their pixels.

#include <string.h>

#include "jpeg_reader.h"
#include "lanes.h"

// The same result on all processors.
#pragma STDC FP_CONTRACT OFF

/// Copies a row of a component to `reader->samples`.
///
/// A mean of a subsampled component covers several pixels. If there are two of them along an axis, these differ by a
/// quarter of the difference between the means on both sides, so that their mean stays the same.
static void expand(const jpeg_reader *reader, int i, JDIMENSION y) {
  const struct jpeg_decompress_struct *info = &reader->info;
  const jpeg_component_info *component = &info->comp_info[i];
  const size_t across = (size_t)(info->max_h_samp_factor / component->h_samp_factor);
  const size_t down = (size_t)(info->max_v_samp_factor / component->v_samp_factor);
  const jpeg_plane *plane = &reader->planes[i];
  const size_t row = y / down;
  const int16_t *means = plane->means + row * plane->width;
  float *samples = reader->samples + (size_t)i * reader->row_width;
  // The low bits of DC coefficients are truncated, not rounded, so half of their range is missing on average. A
  // coefficient of 0 stays 0, so that an image without color remains gray.
  const float missing = (float)plane->missing / 2;
  if (across == 1) {
    for (size_t x = 0; x < plane->width; x++) samples[x] = means[x] + (means[x] == 0 ? 0 : missing);
    return;
  }
  // At the edges, a mean takes the place of the missing one.
  const bool has_slope = down == 2 && row > 0 && row + 1 < plane->height;
  const int16_t *above = means - (has_slope ? plane->width : 0);
  const int16_t *below = means + (has_slope ? plane->width : 0);
  const float sign = y % 2 == 0 ? -0.125f : 0.125f;
  float *values = across == 2 ? reader->samples + (size_t)info->num_components * reader->row_width : samples;
  const size_t width = plane->width;
  for (size_t x = 0; x < width; x++)
    values[x] = means[x] + (means[x] == 0 ? 0 : missing) + sign * (float)(below[x] - above[x]);
  if (across == 2) {
    for (size_t x = 1; x + 1 < width; x++) {
      const float slope = 0.125f * (float)(means[x + 1] - means[x - 1]);
      samples[2 * x] = values[x] - slope;
      samples[2 * x + 1] = values[x] + slope;
    }
    samples[0] = samples[1] = values[0];
    samples[2 * width - 2] = samples[2 * width - 1] = values[width - 1];
  } else {
    for (size_t x = width; x-- > 0;)
      for (size_t copy = 0; copy < across; copy++) samples[x * across + copy] = values[x];
  }
}

// Unlike __builtin_elementwise_min, a comparison needs no instructions for NaN.
static inline floats lesser(floats a, floats b) { return a < b ? a : b; }

static inline floats limited(floats samples) {
  const floats low = 0, high = MAXJSAMPLE;
  return lesser(samples < low ? low : samples, high);
}

/// Returns the samples with the mean light of pixels that have this mean and this variance.
///
/// Above its linear piece, the light of an sRGB sample is proportional to the 2.4th power of u = sample + 14.025. The
/// mean of a power p is close to u^p · (1 + p (p - 1) / 2 · variance / u²). Its root is approximated by a quotient,
/// with an error below 0.3 %. Samples are in 0...255, which limits their variance.
static inline floats brightened(floats samples, floats variances) {
  const floats u = samples + 14.025f, square = u * u;
  const floats v = lesser(variances, samples * (MAXJSAMPLE - samples));
  const floats numerator = square * square + v * (1.2598f * square + 0.0972f * v);
  return u * numerator / (square * (square + 0.5598f * v)) - 14.025f;
}

static inline floats load(const float *samples) {
  floats values;
  memcpy(&values, samples, sizeof values);
  return values;
}

/// Converts the row in `reader->samples`.
static inline __attribute__((always_inline)) void convert(
    const jpeg_reader *reader, int count, bool is_ycc, bool has_variances, JSAMPLE *row) {
  const size_t width = reader->codec->header.decoded_width, stride = reader->row_width;
  for (size_t x = 0; x < width; x += LANES) {
    floats values[MAX_CHANNELS], variances = 0;
    for (int i = 0; i < count; i++)
      values[i] = load(reader->samples + (size_t)i * stride + x) / DCTSIZE + CENTERJSAMPLE;
    if (has_variances)
      variances = load(reader->samples + (size_t)count * stride + x) / VARIANCE_UNIT;
    const bool is_uneven = has_variances && __builtin_reduce_max(variances > 0 ? (integers)1 : (integers)0) > 0;
    if (is_ycc) {
      // Source: ITU-T T.871, section 7.
      const floats luma = values[0];
      const floats blue = values[1] - CENTERJSAMPLE, red = values[2] - CENTERJSAMPLE;
      values[0] = luma + 1.402f * red;
      values[1] = luma - 0.344136f * blue - 0.714136f * red;
      values[2] = luma + 1.772f * blue;
    }
    // The samples of a pixel, from the least significant byte.
    integers pixels = 0;
    for (int i = 0; i < count; i++) {
      floats value = limited(values[i]);
      if (is_uneven) value = brightened(value, variances);
      integers samples = __builtin_convertvector(value + 0.5f, integers);
      if (is_ycc && count == MAX_CHANNELS && i < COLOR_COUNT) samples = MAXJSAMPLE - samples;
      pixels |= samples << (8 * i);
    }
    store_pixels(pixels, count, width - x, row + x * (size_t)count);
  }
}

void jpeg_read_light_row(jpeg_reader *reader, JDIMENSION y, JSAMPLE *row) {
  const int count = reader->info.num_components;
  const size_t side = reader->means_per_side;
  const bool has_variances = reader->has_variances;
  const bool is_ycc = reader->info.jpeg_color_space == JCS_YCbCr || reader->info.jpeg_color_space == JCS_YCCK;
  for (int i = 0; i < count; i++) expand(reader, i, y);
  float *variances = reader->samples + (size_t)count * reader->row_width;
  const uint16_t *block = reader->variances + y / side * reader->blocks_across;
  for (size_t x = 0; has_variances && x < reader->blocks_across; x++)
    for (size_t copy = 0; copy < side; copy++) variances[x * side + copy] = block[x];
  // With constants, the compiler specializes the loop.
  if (is_ycc && count == COLOR_COUNT && has_variances)
    convert(reader, COLOR_COUNT, true, true, row);
  else if (is_ycc && count == COLOR_COUNT)
    convert(reader, COLOR_COUNT, true, false, row);
  else
    convert(reader, count, is_ycc, has_variances, row);
}
