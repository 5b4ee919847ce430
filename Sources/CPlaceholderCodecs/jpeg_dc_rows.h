// Decodes the rows of a progressive image at 1/8 from its DC coefficients, in constant memory.

#ifndef JPEG_DC_ROWS_H
#define JPEG_DC_ROWS_H

#include "jpeg_reader.h"

#pragma clang assume_nonnull begin

/// Returns whether the first scan of a progressive image contains the DC coefficients of all components.
///
/// Valid after the header is read and before decoding starts.
bool jpeg_has_dc_in_first_scan(const struct jpeg_decompress_struct *info);

/// Returns the quantization table of the first component; null if it is not defined yet.
const JQUANT_TBL *_Nullable jpeg_first_quant_table(const struct jpeg_decompress_struct *info);

/// Returns whether decoding can do without the low bits that the first scan omits from luma's DC coefficients.
///
/// Half of the range of these bits is added instead, which is right on average. If the error can exceed one step of an
/// 8-bit sample, it is visible in plain areas. The scans with these bits must then be read, unless the coefficients of
/// the complete image would exceed half of the memory limit.
bool jpeg_first_scan_is_enough(const struct jpeg_decompress_struct *info);

/// Makes libjpeg store one row of MCUs instead of all coefficients of the image.
///
/// Must be called before decoding starts. Afterwards, only `jpeg_read_dc_row` can read pixels.
void jpeg_use_row_buffer(lqip_jpeg_reader *reader);

/// Reads the next row of an image at 1/8 of its size, with the missing DC bits filled in.
///
/// A row of MCUs is decoded when its first row of pixels is read.
void jpeg_read_dc_row(lqip_jpeg_reader *reader, JSAMPLE *row);

#pragma clang assume_nonnull end

#endif
