// The state of a WebP reader, which its parts share.

#ifndef WEBP_READER_H
#define WEBP_READER_H

#include <webp/decode.h>

#include "codec.h"
#include "lqip_webp.h"

#pragma clang assume_nonnull begin

/// The functions of libwebp that are used.
#define WEBP_FUNCTIONS(each) \
  each(WebPInitDecoderConfigInternal) each(WebPIDecode) each(WebPIUpdate) \
  each(WebPIDecGetRGB) each(WebPIDelete) each(WebPGetDecoderVersion)

typedef struct {
#define WEBP_FIELD(name) __typeof__(&name) name;
  WEBP_FUNCTIONS(WEBP_FIELD)
} webp_functions;

/// The functions, from a library that is loaded if need be; null where it is not there.
const webp_functions *_Nullable webp_library(void);

enum { CHUNK_HEADER_SIZE = 8, LOSSLESS_HEADER_SIZE = 5 };

/// A chunk of the container, whose header begins with its name.
typedef struct {
  uint8_t header[CHUNK_HEADER_SIZE];
  uint32_t size;
} webp_chunk;

/// Bytes that are kept; none if `bytes` is null.
typedef struct {
  uint8_t *_Nullable bytes;
  size_t count;
} webp_bytes;

struct lqip_webp_reader {
  lqip_codec *codec;
  const webp_functions *webp;
  /// What is left of the file as its header has it, or of an animation's first frame while that is read.
  uint64_t left;
  uint64_t left_behind_frame;
  bool is_extended;
  bool is_animated;
  bool is_lossless;
  /// Whether the chunks that come next are those of an animation's first frame.
  bool is_in_frame;
  bool has_alpha_flag;
  /// Whether an ALPH chunk stands before the pixels.
  bool has_alpha_plane;
  bool has_alpha;
  uint32_t frame_count;
  uint32_t width;
  uint32_t height;
  lqip_webp_area frame;
  webp_bytes icc;

  /// The chunks of the image as far as they were read, and their size when they are whole. Where the file is in
  /// memory they stay there.
  const uint8_t *_Nullable data;
  uint8_t *_Nullable copy;
  size_t capacity;
  size_t size;
  size_t whole_size;
  /// Where the content of the pixels' chunk begins in them, and that of the last ALPH chunk.
  size_t image_start;
  size_t alpha_start;
  size_t alpha_size;
  /// How many of the bytes libwebp has.
  size_t fed;
  /// How many bytes are fed at a time.
  size_t piece;

  WebPIDecoder *_Nullable decoder;
  WebPDecoderConfig config;
  uint8_t *_Nullable pixels;
  /// The rows to give away, and the next one.
  uint32_t row_count;
  uint32_t y;
  /// The rows of the frame that are decoded.
  uint32_t ready;
};

/// Reads up to the first bytes of the pixels.
void webp_read_container(lqip_webp_reader *reader);

/// Reads the chunks behind the first image.
void webp_read_rest(lqip_webp_reader *reader);

/// Makes room for bytes of the image, where they are copied.
void webp_reserve(lqip_webp_reader *reader, size_t count);

/// Takes bytes of the image; false where the file ends before the last of them.
bool webp_take_data(lqip_webp_reader *reader, size_t count);

/// Takes some more bytes of the pixels, or fails.
void webp_take_more(lqip_webp_reader *reader, size_t count);

/// The memory for the tables of prefix codes, which only the data tells: as much of it is taken as that needs.
uint64_t webp_table_memory(lqip_webp_reader *reader);

#pragma clang assume_nonnull end

#endif
