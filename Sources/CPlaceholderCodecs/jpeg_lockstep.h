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

/// Makes libjpeg keep one row of MCUs in place of all coefficients of the image.
///
/// In buffered-image mode, reading the first scan's rows consumes that scan in lockstep with the
/// output, so that a row's coefficients are never asked for again. Only DC coefficients may be read.
void jpeg_keep_one_row(struct jpeg_decompress_struct *info);

#pragma clang assume_nonnull end

#endif
