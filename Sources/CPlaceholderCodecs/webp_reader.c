#ifdef HAS_WEBP

#include "webp_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Pieces are large, because libwebp decodes up to eight rows of a lossless image again for each piece.
enum { LARGEST_PIECE = 1 << 20, SMALLEST_PIECE = 1 << 10, PIXELS_PER_PIECE = 1 << 20 };

lqip_webp_reader *lqip_webp_reader_create(lqip_codec *codec) {
  lqip_webp_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->codec = codec;
  reader->webp = webp_library();
  return reader;
}

void lqip_webp_reader_destroy(lqip_webp_reader *reader) {
  if (reader->decoder) reader->webp->WebPIDelete(reader->decoder);
  free(reader->pixels);
  free(reader->copy);
  free(reader->icc.bytes);
  free(reader);
}

void webp_reserve(lqip_webp_reader *reader, size_t count) {
  lqip_codec *codec = reader->codec;
  const size_t needed = reader->size + count;
  if (needed <= reader->capacity) return;
  if (needed > codec->limits.max_memory)
    codec_fail(codec, LQIP_TOO_LARGE, "decoding needs too much memory");
  uint8_t *copy = realloc(reader->copy, needed * 2);
  if (!copy) codec_fail(codec, LQIP_OUT_OF_MEMORY, "out of memory");
  reader->data = reader->copy = copy;
  reader->capacity = needed * 2;
}

bool webp_read_data(lqip_webp_reader *reader, size_t count) {
  const bool copies = reader->codec->window != NULL;
  if (copies) webp_reserve(reader, count);
  uint8_t *const end = copies ? reader->copy + reader->size : NULL;
  const size_t consumed = codec_read(reader->codec, end, count);
  reader->size += consumed;
  reader->left -= consumed;
  return consumed == count;
}

void webp_read_more(lqip_webp_reader *reader, size_t count) {
  const size_t before = reader->size, missing = reader->total_size - before;
  if (missing == 0) codec_fail(reader->codec, LQIP_CORRUPT, "unexpected end of image data");
  webp_read_data(reader, missing < count ? missing : count);
  if (reader->size == before) codec_fail_damaged(reader->codec, "unexpected end of file");
}

static bool is_partial(const lqip_webp_reader *reader) {
  return reader->frame.width < reader->width || reader->frame.height < reader->height;
}

bool lqip_webp_reader_read_header(lqip_webp_reader *reader, lqip_header *header) {
  if (setjmp(reader->codec->failed)) return false;
  if (!reader->webp)
    codec_fail(reader->codec, LQIP_NOT_LOADED, "libwebp could not be loaded");
  webp_read_container(reader);
  reader->has_alpha = reader->has_alpha || reader->has_alpha_plane || is_partial(reader);
  *header = (lqip_header){reader->width, reader->height, reader->has_alpha ? 4 : 3};
  return true;
}

/// Returns the maximum memory for decoding, in bytes: the allocations of libwebp 1.2.4 except its tables, plus the
/// decoded rows.
///
/// `webp_table_memory` computes the size of the tables.
static uint64_t needed_memory(const lqip_webp_reader *reader, const lqip_header *output) {
  const uint64_t width = reader->frame.width;
  const uint64_t pixels = width * reader->frame.height;
  // A lossless image: its pixels, and up to three images with one pixel per 4x4 block.
  uint64_t needed = reader->is_lossless ? pixels * 19 / 4 : 0;
  // The alpha plane: one byte per pixel, and four if it is compressed as a lossless image.
  if (reader->has_alpha_plane && !reader->is_lossless) needed += pixels * 5;
  return needed + width * 128 + (uint64_t)output->width * output->height * (unsigned)output->channels;
}

static void check_memory(const lqip_webp_reader *reader, uint64_t needed) {
  const uint64_t most = reader->codec->limits.max_memory;
  if (needed <= most) return;
  char message[MESSAGE_SIZE];
  snprintf(
      message, sizeof message, "decoding needs %llu MB of memory, above the limit of %llu",
      (unsigned long long)(needed + 999999) / 1000000, (unsigned long long)most / 1000000);
  codec_fail(reader->codec, LQIP_TOO_LARGE, message);
}

/// Chooses the size of a piece so that the deadline is checked about once per `PIXELS_PER_PIECE` pixels.
static size_t choose_piece(const lqip_webp_reader *reader) {
  const uint64_t pixels = (uint64_t)reader->frame.width * reader->frame.height;
  const uint64_t piece = (uint64_t)reader->total_size * PIXELS_PER_PIECE / pixels;
  if (piece < SMALLEST_PIECE) return SMALLEST_PIECE;
  return piece < LARGEST_PIECE ? (size_t)piece : LARGEST_PIECE;
}

bool lqip_webp_reader_start(lqip_webp_reader *reader, int scale, lqip_header *decoded) {
  if (setjmp(reader->codec->failed)) return false;
  lqip_codec *codec = reader->codec;
  WebPDecoderConfig *config = &reader->config;
  if (!reader->webp->WebPInitDecoderConfigInternal(config, WEBP_DECODER_ABI_VERSION))
    codec_fail(codec, LQIP_NOT_LOADED, "incompatible libwebp version");
  const uint32_t rounding = (uint32_t)scale - 1;
  const lqip_header output = {
      (reader->frame.width + rounding) / (uint32_t)scale,
      (reader->frame.height + rounding) / (uint32_t)scale, reader->has_alpha ? 4 : 3};
  const uint64_t needed = needed_memory(reader, &output);
  check_memory(reader, needed);
  check_memory(reader, needed + webp_table_memory(reader));
  const size_t stride = (size_t)output.width * (unsigned)output.channels;
  const size_t size = stride * output.height;
  reader->pixels = malloc(size);
  config->options.use_scaling = scale > 1;
  config->options.scaled_width = (int)output.width;
  config->options.scaled_height = (int)output.height;
  config->output.colorspace = reader->has_alpha ? MODE_RGBA : MODE_RGB;
  config->output.is_external_memory = 1;
  config->output.u.RGBA = (WebPRGBABuffer){reader->pixels, (int)stride, size};
  if (reader->pixels) reader->decoder = reader->webp->WebPIDecode(NULL, 0, config);
  if (!reader->decoder) codec_fail(codec, LQIP_OUT_OF_MEMORY, "out of memory");
  reader->piece = choose_piece(reader);
  *decoded = output;
  if (is_partial(reader)) {
    decoded->width = reader->width;
    decoded->height = reader->height;
  }
  reader->row_count = decoded->height;
  return true;
}

/// Feeds the next piece to libwebp.
static void feed(lqip_webp_reader *reader) {
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
  const bool has_failed = status != VP8_STATUS_OK && status != VP8_STATUS_SUSPENDED;
  // libwebp reports damaged data if it cannot allocate tables or alpha.
  if (has_failed && lqip_has_allocation_error()) codec_fail(codec, LQIP_OUT_OF_MEMORY, "out of memory");
  switch (status) {
    case VP8_STATUS_OK:
    case VP8_STATUS_SUSPENDED: return;
    case VP8_STATUS_OUT_OF_MEMORY: codec_fail(codec, LQIP_OUT_OF_MEMORY, "out of memory");
    case VP8_STATUS_UNSUPPORTED_FEATURE:
    case VP8_STATUS_INVALID_PARAM:
    case VP8_STATUS_BITSTREAM_ERROR:
    case VP8_STATUS_USER_ABORT:
    case VP8_STATUS_NOT_ENOUGH_DATA: codec_fail(codec, LQIP_CORRUPT, "invalid image data");
  }
}

bool lqip_webp_reader_read_row(
    lqip_webp_reader *reader, uint8_t *row, uint32_t *count, bool *has_row) {
  *has_row = false;
  if (setjmp(reader->codec->failed)) return codec_recover(reader->codec);
  if (reader->y == reader->row_count) {
    webp_read_trailing_chunks(reader);
    return true;
  }
  const WebPRGBABuffer *buffer = &reader->config.output.u.RGBA;
  const size_t stride = (size_t)buffer->stride;
  const uint32_t frame_y = reader->y - reader->frame.y;
  *count = 0;
  if (frame_y < (uint32_t)reader->config.options.scaled_height) {
    while (reader->ready <= frame_y) feed(reader);
    memcpy(row, reader->pixels + stride * frame_y, stride);
    *count = (uint32_t)reader->config.options.scaled_width;
  }
  reader->y++;
  *has_row = true;
  return true;
}

lqip_webp_area lqip_webp_reader_frame(const lqip_webp_reader *reader) { return reader->frame; }

lqip_bytes lqip_webp_reader_icc_profile(const lqip_webp_reader *reader) {
  return (lqip_bytes){reader->icc.bytes, reader->icc.count};
}

uint32_t lqip_webp_reader_frame_count(const lqip_webp_reader *reader) { return reader->frame_count; }

#endif
