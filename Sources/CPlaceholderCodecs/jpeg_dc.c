// Decodes progressive images at 1/8 of their size from their DC coefficients, and fills in the low bits that these lack.

#include "jpeg_reader.h"

#include <string.h>

// Rows from the first scan, in constant memory

/// The coefficients of one component. libjpeg leaves the definition of this type to its memory manager.
struct jvirt_barray_control {
  JDIMENSION blocks_across;
  /// The coefficients of the current row of MCUs, and the samples of its block rows.
  JBLOCKARRAY _Nullable rows;
  JSAMPARRAY _Nullable samples;
};

/// Replaces `request_virt_barray`, which libjpeg calls for each component, in order.
static jvirt_barray_ptr request(
    j_common_ptr info, int pool, boolean pre_zero, JDIMENSION blocks_across, JDIMENSION row_count,
    JDIMENSION max_access) {
  (void)pre_zero, (void)row_count, (void)max_access;
  jpeg_reader *reader = jpeg_reader_of(info);
  jvirt_barray_ptr array = info->mem->alloc_small(info, pool, sizeof *array);
  *array = (struct jvirt_barray_control){.blocks_across = blocks_across};
  reader->arrays[reader->array_count++] = array;
  return array;
}

static void realize(j_common_ptr info) { (void)info; }

/// Returns the block rows with their DC coefficients set to zero, because truncated data leaves some of them unwritten.
/// AC coefficients are neither written nor read.
static JBLOCKARRAY access(
    j_common_ptr info, jvirt_barray_ptr array, JDIMENSION first_row, JDIMENSION row_count,
    boolean writable) {
  (void)first_row, (void)writable;
  if (!array->rows)
    array->rows =
        info->mem->alloc_barray(info, JPOOL_IMAGE, array->blocks_across, row_count);
  for (JDIMENSION row = 0; row < row_count; row++)
    for (JDIMENSION block = 0; block < array->blocks_across; block++)
      array->rows[row][block][0] = 0;
  return array->rows;
}

/// Returns the size of the coefficients of all components in bytes.
static uint64_t size_of_coefficients(const struct jpeg_decompress_struct *info) {
  uint64_t count = 0;
  for (int i = 0; i < info->num_components; i++) {
    const jpeg_component_info *component = &info->comp_info[i];
    count += (uint64_t)component->width_in_blocks * component->height_in_blocks;
  }
  return count * sizeof(JBLOCK);
}

const JQUANT_TBL *jpeg_first_quant_table(const struct jpeg_decompress_struct *info) {
  // libjpeg validates the number only when it starts to decode.
  const int number = info->comp_info[0].quant_tbl_no;
  return number >= 0 && number < NUM_QUANT_TBLS ? info->quant_tbl_ptrs[number] : NULL;
}

bool jpeg_first_scan_is_enough(const struct jpeg_decompress_struct *info) {
  const JQUANT_TBL *table = jpeg_first_quant_table(info);
  // A DC coefficient is 8 times the mean of its block.
  const bool is_fine = !table || ((1 << info->Al) - 1) * table->quantval[0] <= 2 * DCTSIZE;
  return is_fine || size_of_coefficients(info) > (uint64_t)info->mem->max_memory_to_use / 2;
}

bool jpeg_use_row_buffer(jpeg_reader *reader) {
  const struct jpeg_decompress_struct *info = &reader->info;
  const bool has_all_dc = info->progressive_mode && info->comps_in_scan == info->num_components &&
                          info->Ss == 0 && info->Se == 0 && info->Ah == 0;
  if (!has_all_dc) return false;
  info->mem->request_virt_barray = request;
  info->mem->realize_virt_arrays = realize;
  info->mem->access_virt_barray = access;
  return true;
}

/// Computes the samples of a component in the current row of MCUs, one row of samples for each row of blocks.
static void compute_samples(
    j_decompress_ptr info, const jpeg_component_info *component, jvirt_barray_ptr array) {
  const JDIMENSION repetitions =
      (JDIMENSION)(info->max_h_samp_factor / component->h_samp_factor);
  const JDIMENSION row_count = (JDIMENSION)component->v_samp_factor;
  const JDIMENSION width = array->blocks_across * repetitions;
  if (width < info->output_width) ERREXIT(info, JERR_FRACT_SAMPLE_NOTIMPL);
  if (!array->samples)
    array->samples = info->mem->alloc_sarray(
        (j_common_ptr)info, JPOOL_IMAGE, width + MAX_SAMP_FACTOR, row_count);
  const int multiplier = component->quant_table->quantval[0];
  for (JDIMENSION row = 0; row < row_count; row++) {
    JSAMPLE *sample = array->samples[row];
    JBLOCKROW block = array->rows[row], end = block + array->blocks_across;
    for (; block < end; block++, sample += repetitions) {
      // A DC coefficient is 8 times the mean of its block.
      const int value = ((*block)[0] * multiplier + DCTSIZE * CENTERJSAMPLE + DCTSIZE / 2) >> 3;
      const int clamped = value < 0 ? 0 : value > MAXJSAMPLE ? MAXJSAMPLE : value;
      // Storing four bytes at once is faster; the next block overwrites the excess.
      memset(sample, clamped, MAX_SAMP_FACTOR);
    }
  }
}

void jpeg_read_dc_row(jpeg_reader *reader, JSAMPLE *row) {
  j_decompress_ptr info = &reader->info;
  const JDIMENSION height = (JDIMENSION)info->max_v_samp_factor;
  const JDIMENSION y = info->output_scanline++ % height;
  if (y == 0) jpeg_consume_input(info);
  const JSAMPLE *samples[MAX_COMPONENTS];
  for (int i = 0; i < info->num_components; i++) {
    const jpeg_component_info *component = &info->comp_info[i];
    if (y == 0) compute_samples(info, component, reader->arrays[i]);
    samples[i] = reader->arrays[i]->samples[y * (JDIMENSION)component->v_samp_factor / height];
  }
  jpeg_convert_filled(reader, samples, 1, row);
}

// Missing bits and colors

// Fixed point: filled samples are in units of 1/64, colors in units of 1/2^20.
enum { UNIT = 64, COLOR_BITS = 20, UNIT_BITS = 14 };

typedef int16_t four_shorts __attribute__((vector_size(8)));
typedef uint8_t four_bytes __attribute__((vector_size(4)));

/// Computes the contribution of each luma, Cb and Cr sample to a color.
///
/// Source: ITU-T T.871, section 7.
static void prepare_colors(jpeg_reader *reader) {
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
void jpeg_fill_dc(jpeg_reader *reader) {
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
}

static void convert_ycc(
    const jpeg_reader *reader, JSAMPLE luma, JSAMPLE blue, JSAMPLE red, JSAMPLE *pixel) {
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
    const jpeg_reader *reader, const JSAMPLE *const *samples, size_t step, JSAMPLE *row) {
  const struct jpeg_decompress_struct *info = &reader->info;
  const bool is_ycck = info->out_color_space == JCS_YCCK;
  const int count = info->num_components;
  const bool is_ycc =
      count >= COLOR_COUNT && (is_ycck || info->out_color_space == JCS_YCbCr);
  const size_t width = info->output_width;
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
