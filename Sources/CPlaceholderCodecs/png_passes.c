#include "png_passes.h"

#include <png.h>

static bool find_row(png_passes *passes, const lqip_header *size, lqip_png_row *row) {
  if (!passes->is_interlaced) {
    *row = (lqip_png_row){passes->row, 0, 1, size->width};
    return passes->row < size->height;
  }
  for (; passes->pass < PNG_INTERLACE_ADAM7_PASSES; passes->pass++, passes->row = 0) {
    const int pass = passes->pass;
    const uint32_t count = PNG_PASS_COLS(size->width, pass);
    if (count == 0 || passes->row == PNG_PASS_ROWS(size->height, pass)) continue;
    row->y = PNG_ROW_FROM_PASS_ROW(passes->row, pass);
    row->first_x = PNG_PASS_START_COL(pass);
    row->step_x = PNG_PASS_COL_OFFSET(pass);
    row->count = count;
    return true;
  }
  return false;
}

bool png_passes_find_row(png_passes *passes, const lqip_header *size, lqip_png_row *row) {
  if (!passes->is_finished) passes->is_finished = !find_row(passes, size, row);
  return !passes->is_finished;
}
