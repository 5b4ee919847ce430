// The state of a JPEG reader, shared by its source files.

#ifndef JPEG_READER_H
#define JPEG_READER_H

#include "lqip_jpeg.h"

#include <stdio.h>

// The order matters: each header needs the definitions of the one before it.
#include <jpeglib.h>

#include <jerror.h>

#include "codec.h"

#pragma clang assume_nonnull begin

enum { COLOR_COUNT = 3, MAX_CHANNELS = 4, MAX_ICC_SEGMENTS = 255, MAX_ICC_SIZE = 4 << 20 };

/// A fixed-point color with 20 fractional bits per sample; 32 bits have room for a sum of contributions.
typedef int32_t jpeg_color __attribute__((vector_size(16)));

struct lqip_jpeg_reader {
  lqip_codec *codec;
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  bool is_created;
  /// Whether a lenient decode has reached the end of truncated data, and the first incomplete row.
  bool has_truncated_row;
  JDIMENSION truncated_row;
  /// Whether missing low bits of DC coefficients are filled in; if so, libjpeg does not convert colors.
  bool fills_dc;
  /// The filled-in value of each sample, in units of 1/64.
  int32_t filled[MAX_CHANNELS][MAXJSAMPLE + 1];
  /// The contribution of each luma, Cb and Cr sample to red, green and blue; the fourth lane is unused.
  jpeg_color contributions[COLOR_COUNT][MAXJSAMPLE + 1];
  uint8_t *_Nullable exif;
  size_t exif_size;
  /// The segments of the ICC profile in file order, and their positions by segment number, which starts at 1.
  uint8_t *_Nullable icc;
  size_t icc_size;
  struct {
    bool is_present;
    size_t start;
    size_t size;
  } icc_segments[MAX_ICC_SEGMENTS + 1];
  int icc_segment_count;
  /// The row that libjpeg writes; see `unaligned_row`.
  JSAMPROW _Nullable row;
  /// Whether only one row of MCUs is stored, and the coefficients of each component in that row.
  bool uses_row_buffer;
  jvirt_barray_ptr _Nullable arrays[MAX_COMPONENTS];
  int array_count;
  /// The second decoder, which `lqip_jpeg_reader_find_texture` uses; null outside of that function.
  struct jpeg_probe *_Nullable probe;
};

static inline lqip_jpeg_reader *jpeg_reader_of(j_common_ptr info) { return info->client_data; }

/// Returns the height of a row of MCUs, in pixels of the full-size image.
static inline JDIMENSION jpeg_mcu_row_height(const struct jpeg_decompress_struct *info) {
  return (JDIMENSION)(info->max_v_samp_factor * DCTSIZE);
}

/// Installs the handlers that fail the current call on an error and store warnings.
void jpeg_set_errors(lqip_jpeg_reader *reader);

/// Makes libjpeg read from the codec.
void jpeg_set_source(lqip_jpeg_reader *reader);

/// Loads the next bytes, or an EOI marker at the end of the data.
boolean jpeg_fill_input_buffer(j_decompress_ptr info);

/// Installs the handlers that store the Exif and ICC segments of the header.
void jpeg_store_segments(lqip_jpeg_reader *reader);
void jpeg_free_segments(lqip_jpeg_reader *reader);

void jpeg_free_probe(lqip_jpeg_reader *reader);

/// Prepares `jpeg_convert_filled`: for each sample, computes the value with the missing DC bits filled in.
void jpeg_fill_dc(lqip_jpeg_reader *reader);

/// Converts a row of the file's components to gray, RGB or CMYK, with the missing bits filled in.
///
/// The samples of a component are `step` apart. `samples` may point into `row`.
void jpeg_convert_filled(
    const lqip_jpeg_reader *reader, const JSAMPLE *_Nonnull const *_Nonnull samples, size_t step,
    JSAMPLE *row);

#pragma clang assume_nonnull end

#endif
