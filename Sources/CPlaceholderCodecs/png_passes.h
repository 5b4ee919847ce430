// The order of the rows in a PNG file.

#ifndef PNG_PASSES_H
#define PNG_PASSES_H

#include "lqip_png.h"

#pragma clang assume_nonnull begin

/// The position of the next row.
typedef struct {
  bool is_interlaced;
  int pass;
  /// The row number within the pass.
  uint32_t row;
  /// Whether all rows have been read.
  bool is_finished;
} png_passes;

/// Finds the next row; returns false after the last one. Passes without pixels, as in small images, are skipped.
bool png_passes_find_row(png_passes *passes, const lqip_header *size, lqip_png_row *row);

#pragma clang assume_nonnull end

#endif
