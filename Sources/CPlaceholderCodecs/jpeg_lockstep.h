#ifndef JPEG_LOCKSTEP_H
#define JPEG_LOCKSTEP_H

#include <stdbool.h>
#include <stdio.h>

// After what it needs.
#include <jpeglib.h>

#pragma clang assume_nonnull begin

/// Whether the first scan of a progressive image brings the DC coefficients of all components.
///
/// To be asked between header and start.
bool jpeg_has_dc_in_first_scan(const struct jpeg_decompress_struct *info);

/// The quantization table of the first component; null if there is none so far.
const JQUANT_TBL *_Nullable jpeg_first_table(const struct jpeg_decompress_struct *info);

/// Whether the bits that the first scan leaves out of luma's DC coefficients can be done without.
///
/// Half of them is added back, which is right on average. Where that is off by more than a step of light
/// of 8 bits, a plain area is visibly wrong, and the scans that bring those bits are to be read; unless the
/// coefficients of the whole image take more memory than there may be.
bool jpeg_first_scan_is_enough(const struct jpeg_decompress_struct *info);

/// Makes libjpeg keep one row of MCUs in place of all coefficients of the image.
///
/// In buffered-image mode, reading the first scan's rows consumes that scan in lockstep with the
/// output, so that a row's coefficients are never asked for again. Only DC coefficients may be read.
void jpeg_keep_one_row(struct jpeg_decompress_struct *info);

#pragma clang assume_nonnull end

#endif
