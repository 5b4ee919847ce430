// The state of a WebP reader, shared by its source files.

#pragma once

#include "codec.h"
#include "lqip_webp.h"
#include "webp_library.h"

#pragma clang assume_nonnull begin

enum { CHUNK_HEADER_SIZE = 8, LOSSLESS_HEADER_SIZE = 5 };

/// A chunk of the container. Its header starts with the chunk name; its size excludes the header and the padding.
typedef struct {
  uint8_t header[CHUNK_HEADER_SIZE];
  uint32_t size;
} webp_chunk;

/// A rectangle on the canvas, in pixels.
typedef struct {
  uint32_t x, y, width, height;
} webp_area;

struct lqip_webp_reader {
  lqip_codec *codec;
  const webp_functions *webp;
  /// The number of bytes left in the file according to its header. Within the first frame of an animation, `left` is
  /// the number left in the frame, and `left_after_frame` the number after it.
  uint64_t left;
  uint64_t left_after_frame;
  bool is_extended;
  bool is_animated;
  bool is_lossless;
  /// Whether the next chunks belong to the first frame of an animation.
  bool is_in_frame;
  bool has_alpha_flag;
  /// Whether an ALPH chunk precedes the pixels.
  bool has_alpha_plane;
  bool has_alpha;
  uint32_t width;
  uint32_t height;
  /// The first frame; the rest of the canvas is transparent.
  webp_area frame;
  uint8_t *_Nullable icc;
  size_t icc_size;

  /// The image chunks read so far: `size` bytes in `copy`, which has a capacity, or in the caller's memory.
  const uint8_t *_Nullable data;
  uint8_t *_Nullable copy;
  size_t capacity;
  size_t size;
  /// The size of all image chunks in bytes.
  size_t total_size;
  /// The offsets in `data` at which the contents of the pixel chunk and of the last ALPH chunk start, and the content
  /// size of the ALPH chunk.
  size_t image_start;
  size_t alpha_start;
  size_t alpha_size;
  /// The number of bytes passed to libwebp.
  size_t fed;
  /// The number of bytes to pass to libwebp at a time.
  size_t piece;

  WebPIDecoder *_Nullable decoder;
  WebPDecoderConfig config;
  uint8_t *_Nullable pixels;
  /// The number of rows to return, and the index of the next one.
  uint32_t row_count;
  uint32_t y;
  /// The number of decoded rows of the frame.
  uint32_t ready;
};

/// Reads the container, up to and including the header of the pixels.
void webp_read_container(lqip_webp_reader *reader);

/// Skips the chunks after the first image, and counts the frames among them.
void webp_read_trailing_chunks(lqip_webp_reader *reader);

/// Reserves room in `copy` for `count` more bytes of the image.
void webp_reserve(lqip_webp_reader *reader, size_t count);

/// Reads `count` bytes of the image; returns false if the file is too short.
bool webp_read_data(lqip_webp_reader *reader, size_t count);

/// Reads up to `count` more bytes of the pixels; fails if none are left.
void webp_read_more(lqip_webp_reader *reader, size_t count);

/// Computes the memory in bytes that libwebp needs for its tables of prefix codes, reading only as much of the image as
/// necessary.
uint64_t webp_table_memory(lqip_webp_reader *reader);

#pragma clang assume_nonnull end
