// The libwebp functions in use, and the state of a WebP reader.

#pragma once

#include <webp/decode.h>
#include <webp/encode.h>

#include "codec.h"

#pragma clang assume_nonnull begin

#define WEBP_FUNCTIONS(each) \
  each(WebPInitDecoderConfigInternal) each(WebPIDecode) each(WebPIUpdate) \
  each(WebPIDecGetRGB) each(WebPIDelete) each(WebPGetDecoderVersion) \
  each(WebPDecodeRGBAInto) each(WebPConfigInitInternal) \
  each(WebPPictureInitInternal) each(WebPPictureImportRGBA) \
  each(WebPPictureSharpARGBToYUVA) each(WebPPictureFree) each(WebPEncode)

typedef struct {
#define WEBP_FIELD(name) __typeof__(&name) name;
  WEBP_FUNCTIONS(WEBP_FIELD)
} webp_functions;

/// Returns the functions of libwebp, loading it if necessary; null if it cannot be loaded.
const webp_functions *_Nullable webp_library(void);

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

typedef struct {
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
  /// The index of the next row to return.
  uint32_t y;
  /// The number of decoded rows of the frame.
  uint32_t ready;
} webp_reader;

/// Reads the container, up to and including the header of the pixels.
void webp_read_container(webp_reader *reader);

/// Skips the chunks after the first image, and counts the frames among them.
void webp_read_trailing_chunks(webp_reader *reader);

/// Reserves room in `copy` for `count` more bytes of the image.
void webp_reserve(webp_reader *reader, size_t count);

/// Reads `count` bytes of the image; returns false if the file is too short.
bool webp_read_data(webp_reader *reader, size_t count);

/// Reads up to `count` more bytes of the pixels; fails if none are left.
void webp_read_more(webp_reader *reader, size_t count);

/// Computes the memory in bytes that libwebp needs for its tables of prefix codes, reading only as much of the image as
/// necessary.
uint64_t webp_table_memory(webp_reader *reader);

#pragma clang assume_nonnull end
