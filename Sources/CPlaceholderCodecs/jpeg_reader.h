// The state of a JPEG reader, which its parts share.

#ifndef JPEG_READER_H
#define JPEG_READER_H

#include "lqip_jpeg.h"

#include <stdio.h>

// In this order: each needs what the one before it defines.
#include <jpeglib.h>

#include <jerror.h>

#include "codec.h"

#pragma clang assume_nonnull begin

enum { COLOR_COUNT = 3, MAX_CHANNELS = 4, MAX_ICC_SEGMENTS = 255, MAX_ICC_SIZE = 4 << 20 };

/// In units of 1/2^20, which 32 bits hold with room for a sum.
typedef int32_t jpeg_color __attribute__((vector_size(16)));

struct lqip_jpeg_reader {
  lqip_codec *codec;
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  bool is_created;
  /// In a lenient decode of a truncated image: the first row that is not whole.
  bool has_cut_row;
  JDIMENSION cut_row;
  /// Whether rows come as the file's own components, and what their samples stand for, in units of 1/64.
  bool fills_dc;
  int32_t filled[MAX_CHANNELS][MAXJSAMPLE + 1];
  /// What these samples, as luma and two kinds of chroma, add to red, green and blue; a lane is unused.
  jpeg_color parts[COLOR_COUNT][MAXJSAMPLE + 1];
  uint8_t *_Nullable exif;
  size_t exif_size;
  /// The segments of the profile in the order of the file, and where they stand by their number, which counts
  /// from 1.
  uint8_t *_Nullable icc;
  size_t icc_size;
  struct {
    bool is_present;
    size_t start;
    size_t size;
  } icc_segments[MAX_ICC_SEGMENTS + 1];
  int icc_segment_count;
  /// The decoder of the sampled rows, while it is at work.
  struct jpeg_sample *_Nullable sample;
};

static inline lqip_jpeg_reader *jpeg_reader_of(j_common_ptr info) { return info->client_data; }

/// The height of a row of interleaved blocks, in pixels of the whole image.
static inline JDIMENSION jpeg_rows_of_blocks(const struct jpeg_decompress_struct *info) {
  return (JDIMENSION)(info->max_v_samp_factor * DCTSIZE);
}

/// Lets errors end the call, and warnings be kept.
void jpeg_set_errors(lqip_jpeg_reader *reader);

/// Lets libjpeg read from the codec's bytes.
void jpeg_set_source(lqip_jpeg_reader *reader);

/// Fetches the next bytes; at the end of the data, an EOI marker.
boolean jpeg_fill_input_buffer(j_decompress_ptr info);

/// Keeps the Exif and ICC segments that the header brings.
void jpeg_keep_segments(lqip_jpeg_reader *reader);
void jpeg_free_segments(lqip_jpeg_reader *reader);

void jpeg_free_sample(lqip_jpeg_reader *reader);

/// Notes what each sample of a DC coefficient without its last bits stands for.
void jpeg_fill_dc(lqip_jpeg_reader *reader);

/// Turns a row of the file's own components into what it is without missing bits: gray, RGB or CMYK.
void jpeg_convert_filled(const lqip_jpeg_reader *reader, JSAMPLE *row);

#pragma clang assume_nonnull end

#endif
