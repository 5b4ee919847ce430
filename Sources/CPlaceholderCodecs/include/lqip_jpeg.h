#ifndef LQIP_JPEG_H
#define LQIP_JPEG_H

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// Reads one JPEG image through libjpeg, row by row.
///
/// Every call arms its own way out of libjpeg, so that no jump crosses another language's frames.
/// A false result leaves the reason in the codec; the reader is then good for nothing but destroying.
typedef struct lqip_jpeg_reader lqip_jpeg_reader;

/// The codec must outlive the reader.
lqip_jpeg_reader *_Nullable lqip_jpeg_reader_create(lqip_codec *codec);
void lqip_jpeg_reader_destroy(lqip_jpeg_reader *reader);

/// Reads up to the first scan and checks the size.
bool lqip_jpeg_reader_read_header(lqip_jpeg_reader *reader, lqip_header *header);

bool lqip_jpeg_reader_is_progressive(const lqip_jpeg_reader *reader);

/// Whether the image has so much fine detail that decoding it at 1/scale would change its mean light. Estimated from
/// the compressed bits per pixel and the mean quantization step, and from the first rows at full size.
///
/// The bytes for that are read ahead into memory: as many as a textured image would have, or for the first rows of a
/// progressive image its first scans, up to 16 MB.
bool lqip_jpeg_reader_find_texture(lqip_jpeg_reader *reader, int scale, bool *is_textured);

/// Whether a later scan of a progressive image brings DC coefficients again, as that of a second image in the file
/// does. The file is read ahead into memory up to the image's end, but no more than 16 MB: any later scan may.
bool lqip_jpeg_reader_find_repeated_dc(lqip_jpeg_reader *reader, bool *is_repeated);

/// The TIFF data of the first Exif segment, without its "Exif\0\0".
lqip_bytes lqip_jpeg_reader_exif(const lqip_jpeg_reader *reader);

/// Joins the profile's segments; empty if there is none, or if one is missing.
lqip_bytes lqip_jpeg_reader_icc_profile(lqip_jpeg_reader *reader);

/// Prepares rows at 1/scale (1, 2, 4 or 8) of the size, which is put into `header`.
///
/// With `dc_only`, a progressive image is read just until each component has its DC coefficients; for
/// the last bits of these, which may come later, half of their range is filled in.
/// Where its first scan brings them all, that scan is read along with the rows, in memory that does
/// not grow with the image; unless `verifies` tells that later scans will be read too.
bool lqip_jpeg_reader_start(
    lqip_jpeg_reader *reader, int scale, bool dc_only, bool verifies, lqip_header *header);

/// Reads the next row, of which the first `count` pixels have data: all of them but in a lenient decode,
/// where `has_row` turns false after the row in which the data ends.
bool lqip_jpeg_reader_read_row(
    lqip_jpeg_reader *reader, uint8_t *row, uint32_t *count, bool *has_row);

/// Reads what is left of the image, for the damage that it may hold.
bool lqip_jpeg_reader_verify(lqip_jpeg_reader *reader);

#pragma clang assume_nonnull end

#endif
