// The order in which a PNG file has the rows of its image.

#ifndef PNG_PASSES_H
#define PNG_PASSES_H

#include "lqip_png.h"

#pragma clang assume_nonnull begin

/// The row that comes next.
typedef struct {
  bool is_interlaced;
  int pass;
  /// Its number within the pass.
  uint32_t row;
  /// All rows were read.
  bool are_done;
} png_passes;

/// Says where the next row belongs, after the passes that have no pixel in an image this small.
///
/// Returns whether there is one.
bool png_passes_find_row(png_passes *passes, const lqip_header *size, lqip_png_row *row);

#pragma clang assume_nonnull end

#endif
