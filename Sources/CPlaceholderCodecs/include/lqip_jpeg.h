#ifndef LQIP_JPEG_H
#define LQIP_JPEG_H

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// A reader of a JPEG image, which decodes row by row with libjpeg.
///
/// Every function sets its own jump target before it calls libjpeg, so no `longjmp` crosses a Swift stack frame.
/// After a function returns false, the codec holds the reason, and the reader can only be destroyed.
typedef struct lqip_jpeg_reader lqip_jpeg_reader;

/// Creates a reader, which the codec must outlive.
lqip_jpeg_reader *_Nullable lqip_jpeg_reader_create(lqip_codec *codec);
void lqip_jpeg_reader_destroy(lqip_jpeg_reader *reader);

/// Reads the header, up to the first scan, and checks the size.
bool lqip_jpeg_reader_read_header(lqip_jpeg_reader *reader, lqip_header *header);

bool lqip_jpeg_reader_is_progressive(const lqip_jpeg_reader *reader);

/// Detects fine texture, which decoding at 1/scale would darken.
///
/// The estimate uses the compressed bits per pixel, the mean quantization step, and the light that a few rows lose at
/// 1/scale. To compute it, up to 16 MB of the file are read ahead into memory.
bool lqip_jpeg_reader_find_texture(lqip_jpeg_reader *reader, int scale, bool *is_textured);

/// Detects a later scan of a progressive image that repeats DC coefficients, such as the scan of a second image in the
/// file.
///
/// Any later scan can repeat them, so the rest of the image is read ahead into memory, up to 16 MB.
bool lqip_jpeg_reader_find_repeated_dc(lqip_jpeg_reader *reader, bool *is_repeated);

/// Returns the TIFF data of the first Exif segment, without the signature "Exif\0\0"; empty if there is none.
lqip_bytes lqip_jpeg_reader_exif(const lqip_jpeg_reader *reader);

/// Returns the ICC profile, joined from its segments; empty if it is missing or incomplete, or if an allocation fails.
lqip_bytes lqip_jpeg_reader_icc_profile(lqip_jpeg_reader *reader);

/// Starts decoding at 1/scale of the size, with a scale of 1, 2, 4 or 8, and stores the decoded size in `header`.
///
/// With `dc_only`, a progressive image is read only until each component has its DC coefficients. The low bits that
/// these coefficients lack are replaced by half of the range of the bits. If the first scan contains all DC
/// coefficients with sufficient precision, it is decoded row by row in constant memory, unless `verifies` requires the
/// later scans.
bool lqip_jpeg_reader_start(
    lqip_jpeg_reader *reader, int scale, bool dc_only, bool verifies, lqip_header *header);

/// Reads the next row, and stores in `count` the number of pixels from the left that have data.
///
/// `count` is less than the width only in a lenient decode, in the rows in which the data ends. `has_row` is
/// false after those rows and after the last row.
bool lqip_jpeg_reader_read_row(
    lqip_jpeg_reader *reader, uint8_t *row, uint32_t *count, bool *has_row);

/// Reads the rest of the image to detect damage.
bool lqip_jpeg_reader_verify(lqip_jpeg_reader *reader);

/// Encodes an image of 8-bit RGB samples as baseline JPEG with 4:2:0 subsampling, optimized for a small file.
///
/// All components use libjpeg's quantization table for luma at quality 50, and the Huffman tables are optimal. Returns
/// the size of the file; 0 if it exceeds `capacity` or an allocation fails.
size_t lqip_jpeg_write(
    const uint8_t *samples, uint32_t width, uint32_t height, uint8_t *file, size_t capacity);

#pragma clang assume_nonnull end

#endif
