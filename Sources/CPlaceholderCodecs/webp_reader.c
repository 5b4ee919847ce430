#ifdef HAS_WEBP

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec_library.h"
#include "webp.h"

// Pieces are large, because libwebp decodes up to eight rows of a lossless image again for each piece.
enum { LARGEST_PIECE = 1 << 20, SMALLEST_PIECE = 1 << 10, PIXELS_PER_PIECE = 1 << 20 };

/// The maximum number of pixels of an image that is decoded at full size, which preserves the brightness of textures.
///
/// Decoding at full size takes 10% more time and up to 12 MB of memory.
enum { MAX_UNSCALED_PIXELS = 1 << 22 };

CODEC_LIBRARY(webp_functions, webp_library, "libwebp.so.7", WEBP_FUNCTIONS)

uint32_t webp_library_version(void) {
  const webp_functions *webp = webp_library();
  return webp ? (uint32_t)webp->WebPGetDecoderVersion() : 0;
}

// The image data

void webp_reserve(webp_reader *reader, size_t count) {
  lqip_codec *codec = reader->codec;
  const size_t needed = reader->size + count;
  if (needed <= reader->capacity) return;
  if (needed > codec->limits.max_memory)
    codec_fail(codec, LQIP_TOO_LARGE, "decoding needs too much memory");
  reader->data = reader->copy = codec_allocate(codec, reader->copy, needed * 2);
  reader->capacity = needed * 2;
}

bool webp_read_data(webp_reader *reader, size_t count) {
  const bool copies = reader->codec->window != NULL;
  if (copies) webp_reserve(reader, count);
  uint8_t *const end = copies ? reader->copy + reader->size : NULL;
  const size_t consumed = codec_read(reader->codec, end, count);
  reader->size += consumed;
  reader->left -= consumed;
  return consumed == count;
}

void webp_read_more(webp_reader *reader, size_t count) {
  const size_t before = reader->size, missing = reader->total_size - before;
  if (missing == 0) codec_fail(reader->codec, LQIP_CORRUPT, "unexpected end of image data");
  webp_read_data(reader, missing < count ? missing : count);
  if (reader->size == before) codec_fail_damaged(reader->codec, "unexpected end of file");
}

static bool is_partial(const webp_reader *reader) {
  return reader->frame.width < reader->width || reader->frame.height < reader->height;
}

/// Chooses the scale at which libwebp decodes the image.
///
/// libwebp averages encoded samples and includes the color of transparent pixels, so an image with alpha is not scaled.
/// At 1/8, the error of previews is twice that at 1/4, and decoding is not faster.
static int choose_scale(const webp_reader *reader) {
  const bool is_unscaled = reader->codec->limits.exact || reader->has_alpha ||
                           (uint64_t)reader->width * reader->height <= MAX_UNSCALED_PIXELS;
  return is_unscaled ? 1 : codec_scale(reader->width, reader->height, 4);
}

/// Returns the maximum memory for decoding, in bytes: the allocations of libwebp 1.2.4, except the tables that
/// `webp_table_memory` measures, plus the decoded rows.
static uint64_t needed_memory(const webp_reader *reader, uint64_t output_size) {
  const uint64_t width = reader->frame.width;
  const uint64_t pixels = width * reader->frame.height;
  // A lossless image: its pixels, and up to three images with one pixel per 4x4 block.
  uint64_t needed = reader->is_lossless ? pixels * 19 / 4 : 0;
  // The alpha plane: one byte per pixel, and four if it is compressed as a lossless image.
  if (reader->has_alpha_plane && !reader->is_lossless) needed += pixels * 5;
  return needed + width * 128 + output_size;
}

static void check_memory(const webp_reader *reader, uint64_t needed) {
  const uint64_t most = reader->codec->limits.max_memory;
  if (needed <= most) return;
  char message[MESSAGE_SIZE];
  snprintf(
      message, sizeof message, "decoding needs %llu MB of memory, above the limit of %llu",
      (unsigned long long)(needed + 999999) / 1000000, (unsigned long long)most / 1000000);
  codec_fail(reader->codec, LQIP_TOO_LARGE, message);
}

/// Chooses the size of a piece so that the deadline is checked about once per `PIXELS_PER_PIECE` pixels.
static size_t choose_piece(const webp_reader *reader) {
  const uint64_t pixels = (uint64_t)reader->frame.width * reader->frame.height;
  const uint64_t piece = (uint64_t)reader->total_size * PIXELS_PER_PIECE / pixels;
  if (piece < SMALLEST_PIECE) return SMALLEST_PIECE;
  return piece < LARGEST_PIECE ? (size_t)piece : LARGEST_PIECE;
}

/// Creates the decoder of the frame, at the scale of the header.
static void start(webp_reader *reader) {
  lqip_codec *codec = reader->codec;
  WebPDecoderConfig *config = &reader->config;
  if (!reader->webp->WebPInitDecoderConfigInternal(config, WEBP_DECODER_ABI_VERSION))
    codec_fail(codec, LQIP_NOT_LOADED, "incompatible libwebp version");
  const uint32_t scale = (uint32_t)choose_scale(reader);
  const uint32_t width = (reader->frame.width + scale - 1) / scale;
  const uint32_t height = (reader->frame.height + scale - 1) / scale;
  const size_t stride = (size_t)width * (reader->has_alpha ? 4 : 3);
  const uint64_t size = (uint64_t)stride * height;
  const uint64_t needed = needed_memory(reader, size);
  check_memory(reader, needed);
  check_memory(reader, needed + webp_table_memory(reader));
  reader->pixels = malloc((size_t)size);
  config->options.use_scaling = scale > 1;
  config->options.scaled_width = (int)width;
  config->options.scaled_height = (int)height;
  config->output.colorspace = reader->has_alpha ? MODE_RGBA : MODE_RGB;
  config->output.is_external_memory = 1;
  config->output.u.RGBA = (WebPRGBABuffer){reader->pixels, (int)stride, (size_t)size};
  if (reader->pixels) reader->decoder = reader->webp->WebPIDecode(NULL, 0, config);
  if (!reader->decoder) codec_fail_out_of_memory(codec);
  reader->piece = choose_piece(reader);
  // The frame of a partial image is not scaled, because the rest of the canvas is transparent.
  if (is_partial(reader)) return;
  codec->header.scale = (int)scale;
  codec->header.decoded_width = width;
  codec->header.decoded_height = height;
}

static void open_image(lqip_codec *codec) {
  webp_reader *reader = codec->reader;
  lqip_header *header = &codec->header;
  reader->codec = codec;
  reader->webp = webp_library();
  if (!reader->webp) codec_fail(codec, LQIP_NOT_LOADED, "libwebp could not be loaded");
  webp_read_container(reader);
  reader->has_alpha = reader->has_alpha || reader->has_alpha_plane || is_partial(reader);
  header->width = reader->width;
  header->height = reader->height;
  header->channels = reader->has_alpha ? 4 : 3;
  codec->color.icc_profile = (lqip_bytes){reader->icc, reader->icc_size};
  start(reader);
}

static void close_image(void *memory) {
  webp_reader *reader = memory;
  if (reader->decoder) reader->webp->WebPIDelete(reader->decoder);
  free(reader->pixels);
  free(reader->copy);
  free(reader->icc);
}

// Rows

/// Feeds the next piece to libwebp.
static void feed(webp_reader *reader) {
  lqip_codec *codec = reader->codec;
  codec_check_deadline(codec);
  // Until a row is ready, libwebp parses the codes and transforms of a lossless image again for each piece. Doubling
  // the data limits the number of pieces.
  const bool doubles = reader->ready == 0 && reader->size > reader->piece;
  if (reader->fed == reader->size) webp_read_more(reader, doubles ? reader->size : reader->piece);
  reader->fed = reader->size;
  lqip_clear_allocation_error();
  const VP8StatusCode status =
      reader->webp->WebPIUpdate(reader->decoder, reader->data, reader->size);
  int ready, width, height, stride;
  if (reader->webp->WebPIDecGetRGB(reader->decoder, &ready, &width, &height, &stride))
    reader->ready = (uint32_t)ready;
  if (status == VP8_STATUS_OK || status == VP8_STATUS_SUSPENDED) return;
  // libwebp reports damaged data if it cannot allocate tables or alpha.
  if (status == VP8_STATUS_OUT_OF_MEMORY || lqip_has_allocation_error())
    codec_fail_out_of_memory(codec);
  codec_fail(codec, LQIP_CORRUPT, "invalid image data");
}

static bool read_row(lqip_codec *codec, uint8_t *samples, lqip_row *row) {
  webp_reader *reader = codec->reader;
  if (reader->y == codec->header.decoded_height) {
    webp_read_trailing_chunks(reader);
    return false;
  }
  const size_t stride = (size_t)reader->config.output.u.RGBA.stride;
  const uint32_t frame_y = reader->y - reader->frame.y;
  const bool is_in_frame = frame_y < (uint32_t)reader->config.options.scaled_height;
  if (is_in_frame) {
    while (reader->ready <= frame_y) feed(reader);
    memcpy(samples, reader->pixels + stride * frame_y, stride);
  }
  *row = (lqip_row){
      .y = reader->y++, .first_x = reader->frame.x, .step_x = 1,
      .count = is_in_frame ? (uint32_t)reader->config.options.scaled_width : 0,
      .is_transparent_elsewhere = true};
  return true;
}

const codec_format webp_format = {sizeof(webp_reader), open_image, read_row, close_image, true};

#endif
