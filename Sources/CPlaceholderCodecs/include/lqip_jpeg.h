#pragma once

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// A reader of a JPEG image, which decodes with libjpeg to gray, RGB or CMYK.
typedef struct lqip_jpeg_reader lqip_jpeg_reader;

lqip_jpeg_reader *_Nullable lqip_jpeg_reader_open(lqip_codec *codec, lqip_header *header);
void lqip_jpeg_reader_destroy(lqip_jpeg_reader *reader);

/// Returns the TIFF data of the first Exif segment, without the signature "Exif\0\0"; empty if there is none.
lqip_bytes lqip_jpeg_reader_exif(const lqip_jpeg_reader *reader);

/// Returns the ICC profile, joined from its segments; empty if it is missing or incomplete, or if an allocation fails.
lqip_bytes lqip_jpeg_reader_icc_profile(lqip_jpeg_reader *reader);

/// Starts decoding at the smallest scale that a grid allows.
///
/// An image with fine texture, which a smaller scale would darken, is decoded at full size. A progressive image is read
/// only until each component has its DC coefficients. The low bits that these coefficients lack are replaced by half of
/// the range of the bits. If the first scan contains all DC coefficients with sufficient precision, it is decoded row
/// by row in constant memory, unless the later scans must be verified.
bool lqip_jpeg_reader_start(lqip_jpeg_reader *reader, lqip_layout *layout);

/// Reads the next row. In a lenient decode, the rows in which the data ends have fewer pixels than the image.
bool lqip_jpeg_reader_read_row(
    lqip_jpeg_reader *reader, uint8_t *samples, lqip_row *row, bool *has_row);

/// Encodes an image of 8-bit RGB samples as baseline JPEG with 4:2:0 subsampling, optimized for a small file.
///
/// All components use libjpeg's quantization table for luma at quality 50, and the Huffman tables are optimal. Returns
/// the size of the file; 0 if it exceeds `capacity` or an allocation fails.
size_t lqip_jpeg_write(
    const uint8_t *samples, uint32_t width, uint32_t height, uint8_t *file, size_t capacity);

#pragma clang assume_nonnull end
