// The state of a JPEG reader, shared by its source files.

#pragma once

#include <stdio.h>

// The order matters: each header needs the definitions of the one before it.
#include <jpeglib.h>

#include <jerror.h>

#include "codec.h"

#pragma clang assume_nonnull begin

enum {
  COLOR_COUNT = 3,
  MAX_CHANNELS = 4,
  MAX_ICC_SEGMENTS = 255,
  /// The limit on `means`, which leaves room for the missing bits.
  MAX_MEAN = 1 << 14,
  /// The units of `variances` in a squared sample.
  VARIANCE_UNIT = 4,
};

/// The means of the blocks of a component.
typedef struct {
  /// The means of blocks, or of their quarters, minus `CENTERJSAMPLE`, in units of 1/8.
  int16_t *_Nullable means;
  /// The number of means in a row, and that of rows.
  size_t width, height;
  /// The number of low bits that the means lack, or `MISSING_DC`; the range of these bits, in units of the means.
  int missing_bits;
  int missing;
} jpeg_plane;

typedef struct {
  lqip_codec *codec;
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  /// Whether a lenient decode has reached the end of truncated data, and the first incomplete row.
  bool has_truncated_row;
  JDIMENSION truncated_row;
  /// The segments of the ICC profile by number, which starts at 1; the number of segments in the complete profile; the
  /// total size of the stored segments; and the joined profile.
  lqip_bytes icc_segments[MAX_ICC_SEGMENTS + 1];
  int icc_segment_count;
  size_t icc_size;
  uint8_t *_Nullable icc;
  /// The row that libjpeg writes; see `unaligned_row`.
  JSAMPROW _Nullable row;
  /// Whether rows come from `planes`, and the number of the next one.
  bool uses_blocks;
  JDIMENSION next_row;
  /// The number of means along a side of a block: 1 or 2.
  JDIMENSION means_per_side;
  JDIMENSION mcus_across, mcus_down;
  jpeg_plane planes[MAX_CHANNELS];
  /// The variances of luma around the means, a value for each block, in units of 1/4; valid if `has_variances`.
  bool has_variances;
  uint16_t *_Nullable variances;
  size_t blocks_across, variance_count;
  struct jpeg_scanner *_Nullable scanner;
  /// A row of samples of each component, and of variances.
  float *_Nullable samples;
  size_t row_width;
} jpeg_reader;

static inline jpeg_reader *jpeg_reader_of(j_common_ptr info) { return info->client_data; }

/// Returns the height of a row of MCUs, in pixels of the full-size image.
static inline JDIMENSION jpeg_mcu_row_height(const struct jpeg_decompress_struct *info) {
  return (JDIMENSION)(info->max_v_samp_factor * DCTSIZE);
}

// jpeg_source.c

/// Creates the decoder. It fails the current call on an error or beyond a limit, stores warnings, reads from the codec,
/// and stores the Exif and ICC segments of the header.
void jpeg_create_reader(jpeg_reader *reader);

/// Fails if the number of scans or a time limit is exceeded.
void jpeg_check_limits(j_common_ptr info);

/// Returns the ICC profile, joined from its segments; empty if it is missing or incomplete.
lqip_bytes jpeg_join_profile(jpeg_reader *reader);

void jpeg_free_segments(jpeg_reader *reader);

// jpeg_blocks.c

/// Reads the means and variances of all blocks without libjpeg; returns false if the image is unusual or damaged.
///
/// The bytes are read ahead, so libjpeg can decode the image afterwards.
bool jpeg_read_blocks(jpeg_reader *reader);

void jpeg_free_blocks(jpeg_reader *reader);

// jpeg_light.c

/// Converts a row of means and variances to gray, RGB or CMYK samples.
void jpeg_read_light_row(jpeg_reader *reader, JDIMENSION y, JSAMPLE *row);

#pragma clang assume_nonnull end
