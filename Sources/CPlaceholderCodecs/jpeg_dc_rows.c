#include "jpeg_dc_rows.h"

#include <stdint.h>
#include <string.h>

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
  lqip_jpeg_reader *reader = jpeg_reader_of(info);
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

bool jpeg_has_dc_in_first_scan(const struct jpeg_decompress_struct *info) {
  return info->progressive_mode && info->comps_in_scan == info->num_components &&
         info->Ss == 0 && info->Se == 0 && info->Ah == 0;
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

void jpeg_use_row_buffer(lqip_jpeg_reader *reader) {
  struct jpeg_memory_mgr *memory = reader->info.mem;
  memory->request_virt_barray = request;
  memory->realize_virt_arrays = realize;
  memory->access_virt_barray = access;
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

void jpeg_read_dc_row(lqip_jpeg_reader *reader, JSAMPLE *row) {
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
