#include "jpeg_lockstep.h"

#include <stdint.h>
#include <string.h>

/// The coefficients of one component. libjpeg leaves the definition of this type to its memory manager.
struct jvirt_barray_control {
  JDIMENSION blocks_across;
  /// The index of the first row in memory.
  JDIMENSION first_row;
  JBLOCKARRAY _Nullable rows;
};

static jvirt_barray_ptr request(
    j_common_ptr info, int pool, boolean pre_zero, JDIMENSION blocks_across, JDIMENSION row_count,
    JDIMENSION max_access) {
  (void)pre_zero, (void)row_count, (void)max_access;
  jvirt_barray_ptr array = info->mem->alloc_small(info, pool, sizeof *array);
  *array = (struct jvirt_barray_control){.blocks_across = blocks_across};
  return array;
}

static void realize(j_common_ptr info) { (void)info; }

/// Returns rows of cleared coefficients.
///
/// AC coefficients are never written, so they are cleared only once. DC coefficients are cleared for each row,
/// because truncated data leaves them unwritten.
static JBLOCKARRAY access(
    j_common_ptr info, jvirt_barray_ptr array, JDIMENSION first_row, JDIMENSION row_count,
    boolean writable) {
  (void)writable;
  if (!array->rows) {
    array->rows =
        info->mem->alloc_barray(info, JPOOL_IMAGE, array->blocks_across, row_count);
    for (JDIMENSION row = 0; row < row_count; row++)
      memset(array->rows[row], 0, array->blocks_across * sizeof(JBLOCK));
  } else if (first_row != array->first_row) {
    for (JDIMENSION row = 0; row < row_count; row++)
      for (JDIMENSION block = 0; block < array->blocks_across; block++)
        array->rows[row][block][0] = 0;
  }
  array->first_row = first_row;
  return array->rows;
}

bool jpeg_has_dc_in_first_scan(const struct jpeg_decompress_struct *info) {
  return info->progressive_mode && info->comps_in_scan == info->num_components &&
         info->Ss == 0 && info->Se == 0 && info->Ah == 0;
}

/// The size of the coefficients of all components in bytes.
static uint64_t size_of_coefficients(const struct jpeg_decompress_struct *info) {
  uint64_t count = 0;
  for (int i = 0; i < info->num_components; i++) {
    const jpeg_component_info *component = &info->comp_info[i];
    count += (uint64_t)component->width_in_blocks * component->height_in_blocks;
  }
  return count * sizeof(JBLOCK);
}

const JQUANT_TBL *jpeg_first_table(const struct jpeg_decompress_struct *info) {
  // libjpeg validates the number only when it starts to decode.
  const int number = info->comp_info[0].quant_tbl_no;
  return number >= 0 && number < NUM_QUANT_TBLS ? info->quant_tbl_ptrs[number] : NULL;
}

bool jpeg_first_scan_is_enough(const struct jpeg_decompress_struct *info) {
  const JQUANT_TBL *table = jpeg_first_table(info);
  // A DC coefficient is 8 times the mean of its block.
  const bool is_fine = !table || ((1 << info->Al) - 1) * table->quantval[0] <= 2 * DCTSIZE;
  return is_fine || size_of_coefficients(info) > (uint64_t)info->mem->max_memory_to_use / 2;
}

void jpeg_keep_one_row(struct jpeg_decompress_struct *info) {
  info->mem->request_virt_barray = request;
  info->mem->realize_virt_arrays = realize;
  info->mem->access_virt_barray = access;
}
