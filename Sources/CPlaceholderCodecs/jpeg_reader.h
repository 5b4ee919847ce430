// The state of a JPEG reader, shared by its source files.

#pragma once

#include <stdio.h>

// The order matters: each header needs the definitions of the one before it.
#include <jpeglib.h>

#include <jerror.h>

#include "codec.h"

#pragma clang assume_nonnull begin

enum { COLOR_COUNT = 3, MAX_CHANNELS = 4, MAX_ICC_SEGMENTS = 255 };

/// A fixed-point color with 20 fractional bits per sample; 32 bits have room for a sum of contributions.
typedef int32_t jpeg_color __attribute__((vector_size(16)));

typedef struct {
  lqip_codec *codec;
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  /// Whether a lenient decode has reached the end of truncated data, and the first incomplete row.
  bool has_truncated_row;
  JDIMENSION truncated_row;
  /// If only DC coefficients are decoded, the value of each sample with the missing low bits filled in, in units of 1/64.
  int32_t filled[MAX_CHANNELS][MAXJSAMPLE + 1];
  /// The contribution of each luma, Cb and Cr sample to red, green and blue; the fourth lane is unused.
  jpeg_color contributions[COLOR_COUNT][MAXJSAMPLE + 1];
  /// The segments of the ICC profile by number, which starts at 1; the number of segments in the complete profile; the
  /// total size of the stored segments; and the joined profile.
  lqip_bytes icc_segments[MAX_ICC_SEGMENTS + 1];
  int icc_segment_count;
  size_t icc_size;
  uint8_t *_Nullable icc;
  /// The row that libjpeg writes; see `unaligned_row`.
  JSAMPROW _Nullable row;
  /// Whether only one row of MCUs is stored, and the coefficients of each component in that row.
  bool uses_row_buffer;
  jvirt_barray_ptr _Nullable arrays[MAX_COMPONENTS];
  int array_count;
  /// The second decoder, which `jpeg_has_texture` uses; null outside of that function.
  struct jpeg_probe *_Nullable probe;
} jpeg_reader;

static inline jpeg_reader *jpeg_reader_of(j_common_ptr info) { return info->client_data; }

/// Returns the height of a row of MCUs, in pixels of the full-size image.
static inline JDIMENSION jpeg_mcu_row_height(const struct jpeg_decompress_struct *info) {
  return (JDIMENSION)(info->max_v_samp_factor * DCTSIZE);
}

// jpeg_reader.c

/// Returns whether the scans read so far contain the first `count` coefficients of the first components, which may lack
/// up to `missing_bits` low bits.
bool jpeg_has_coefficients(
    const struct jpeg_decompress_struct *info, int components, int count, int missing_bits);

// jpeg_source.c

/// Creates the decoder. It fails the current call on an error or beyond a limit, stores warnings, reads from the codec,
/// and stores the Exif and ICC segments of the header.
void jpeg_create_reader(jpeg_reader *reader);

/// Fails if the number of scans or a time limit is exceeded.
void jpeg_check_limits(j_common_ptr info);

/// Returns the ICC profile, joined from its segments; empty if it is missing or incomplete.
lqip_bytes jpeg_join_profile(jpeg_reader *reader);

void jpeg_free_segments(jpeg_reader *reader);

// jpeg_scans.c: parsing of the bytes that libjpeg has not read yet, without consuming them

/// The bytes in libjpeg's buffer, followed by bytes read ahead.
typedef struct {
  lqip_codec *codec;
  /// The bytes in memory that are not parsed yet.
  lqip_bytes bytes;
  /// The number of bytes read ahead.
  size_t ahead;
} jpeg_lookahead;

jpeg_lookahead jpeg_lookahead_of(const jpeg_reader *reader);

/// Reads ahead if `bytes` is empty; returns false at the end of the data or after 16 MB.
bool jpeg_has_more(jpeg_lookahead *lookahead);

/// Skips the data of a scan, up to the next marker or the end of `bytes`.
void jpeg_skip_scan_data(jpeg_lookahead *lookahead);

/// Returns whether a later scan of a progressive image repeats DC coefficients, such as the scan of a second image in
/// the file.
///
/// Any later scan can repeat them, so the rest of the image is read ahead, up to 16 MB.
bool jpeg_repeats_dc(const jpeg_reader *reader);

// jpeg_texture.c

/// Returns whether the image has fine texture, which decoding at 1/scale would darken.
///
/// The estimate uses the compressed bits per pixel, the mean quantization step, and the light that a few rows lose at
/// 1/scale. To compute it, up to 16 MB of the file are read ahead.
bool jpeg_has_texture(jpeg_reader *reader, int scale);

void jpeg_free_probe(jpeg_reader *reader);

// jpeg_dc.c: progressive images at 1/8 of their size, from their DC coefficients

/// Returns the quantization table of the first component; null if it is not defined yet.
const JQUANT_TBL *_Nullable jpeg_first_quant_table(const struct jpeg_decompress_struct *info);

/// Returns whether decoding can do without the low bits that the first scan omits from luma's DC coefficients.
///
/// Half of the range of these bits is added instead, which is right on average. If the error can exceed one step of an
/// 8-bit sample, it is visible in plain areas. The scans with these bits must then be read, unless the coefficients of
/// the complete image would exceed half of the memory limit.
bool jpeg_first_scan_is_enough(const struct jpeg_decompress_struct *info);

/// Makes libjpeg store one row of MCUs instead of all coefficients of the image, if the first scan contains the DC
/// coefficients of all components; returns false otherwise.
///
/// Must be called after the header is read and before decoding starts. Afterwards, only `jpeg_read_dc_row` can read
/// pixels.
bool jpeg_use_row_buffer(jpeg_reader *reader);

/// Reads the next row, with the missing DC bits filled in. A row of MCUs is decoded when its first row of pixels is read.
void jpeg_read_dc_row(jpeg_reader *reader, JSAMPLE *row);

/// Prepares `jpeg_convert_filled`: for each sample, computes the value with the missing DC bits filled in.
void jpeg_fill_dc(jpeg_reader *reader);

/// Converts a row of the file's components to gray, RGB or CMYK, with the missing bits filled in.
///
/// The samples of a component are `step` apart. `samples` may point into `row`.
void jpeg_convert_filled(
    const jpeg_reader *reader, const JSAMPLE *_Nonnull const *_Nonnull samples, size_t step,
    JSAMPLE *row);

#pragma clang assume_nonnull end
