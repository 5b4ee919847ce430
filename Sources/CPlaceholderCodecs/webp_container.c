#ifdef HAS_WEBP

#include <stdlib.h>
#include <string.h>

#include "webp.h"

// Source: WebP Container Specification, https://developers.google.com/speed/webp/docs/riff_container

enum {
  EXTENDED_SIZE = 10,
  FRAME_HEADER_SIZE = 16,
  /// The size in bytes of the header of the lossy pixels, which contains the image size.
  LOSSY_HEADER_SIZE = 10,
  MAX_PROFILE_SIZE = 4 << 20,
  /// The maximum side of a canvas in pixels, libwebp's `WEBP_MAX_DIMENSION`. The format allows 2^24 in an animation.
  MAX_SIDE = 16383,
  /// The flags in the VP8X chunk.
  ALPHA_FLAG = 0x10,
  ANIMATION_FLAG = 0x02,
};

static uint32_t little_endian(const uint8_t *bytes, int count) {
  uint32_t value = 0;
  while (count-- > 0) value = value << 8 | bytes[count];
  return value;
}

static bool is_named(const webp_chunk *chunk, const char *name) {
  return memcmp(chunk->header, name, 4) == 0;
}

static void check_remaining(webp_reader *reader, uint64_t count) {
  if (count > reader->left) {
    codec_fail(reader->codec, LQIP_CORRUPT, "a chunk extends past the end of the file");
  }
}

/// Reads `count` bytes, or skips them if `bytes` is null; fails if the file is too short.
static void read_bytes(webp_reader *reader, uint8_t *_Nullable bytes, uint64_t count) {
  check_remaining(reader, count);
  if (codec_read(reader->codec, bytes, count) < count)
    codec_fail_damaged(reader->codec, "unexpected end of file");
  reader->left -= count;
}

/// Returns the size of a chunk, including the padding that makes the next chunk start at an even offset.
static uint64_t padded(const webp_chunk *chunk) { return (uint64_t)chunk->size + (chunk->size & 1); }

/// Skips `count` bytes, or fewer at the end of the file.
static void skip_bytes(webp_reader *reader, uint64_t count) {
  reader->left -= codec_read(reader->codec, NULL, count < reader->left ? count : reader->left);
}

/// Stores the first ICC profile, and skips all others.
static void store_profile(webp_reader *reader, const webp_chunk *chunk) {
  uint64_t skipped = padded(chunk);
  if (!reader->icc && chunk->size > MAX_PROFILE_SIZE) {
    codec_warn(reader->codec, "ICC profile above 4 MiB ignored");
  } else if (!reader->icc && chunk->size > 0) {
    reader->icc = codec_allocate(reader->codec, NULL, chunk->size);
    read_bytes(reader, reader->icc, chunk->size);
    reader->icc_size = chunk->size;
    skipped -= chunk->size;
  }
  read_bytes(reader, NULL, skipped);
}

/// Reads `count` bytes of the image chunks; fails if the file is too short.
static void read_data(webp_reader *reader, uint64_t count) {
  check_remaining(reader, count);
  while (count > 0) {
    const size_t piece = count < WINDOW_SIZE ? (size_t)count : WINDOW_SIZE;
    if (!webp_read_data(reader, piece)) codec_fail_damaged(reader->codec, "unexpected end of file");
    count -= piece;
  }
}

/// Reads the header of the next chunk; returns false at the end of the file.
static bool next_chunk(webp_reader *reader, webp_chunk *chunk) {
  if (reader->left < CHUNK_HEADER_SIZE ||
      codec_read(reader->codec, chunk->header, CHUNK_HEADER_SIZE) < CHUNK_HEADER_SIZE)
    return false;
  reader->left -= CHUNK_HEADER_SIZE;
  chunk->size = little_endian(chunk->header + 4, 4);
  return true;
}

static void read_extended(webp_reader *reader, const webp_chunk *chunk) {
  uint8_t bytes[EXTENDED_SIZE];
  if (chunk->size < sizeof bytes) codec_fail(reader->codec, LQIP_CORRUPT, "VP8X chunk too short");
  read_bytes(reader, bytes, sizeof bytes);
  read_bytes(reader, NULL, padded(chunk) - sizeof bytes);
  reader->is_extended = true;
  reader->is_animated = bytes[0] & ANIMATION_FLAG;
  reader->has_alpha_flag = reader->has_alpha = bytes[0] & ALPHA_FLAG;
  reader->width = little_endian(bytes + 4, 3) + 1;
  reader->height = little_endian(bytes + 7, 3) + 1;
  codec_check_size(reader->codec, reader->width, reader->height);
  if (reader->width > MAX_SIDE || reader->height > MAX_SIDE)
    codec_fail(reader->codec, LQIP_TOO_LARGE, "a side exceeds 16,383 pixels");
}

/// Reads the header of the first frame of an animation.
static void read_frame_header(webp_reader *reader, const webp_chunk *chunk) {
  uint8_t bytes[FRAME_HEADER_SIZE];
  if (!reader->is_animated || chunk->size < sizeof bytes)
    codec_fail(reader->codec, LQIP_CORRUPT, "unexpected frame");
  read_bytes(reader, bytes, sizeof bytes);
  const uint64_t rest = padded(chunk) - sizeof bytes;
  reader->left_after_frame = rest < reader->left ? reader->left - rest : 0;
  if (rest < reader->left) reader->left = rest;
  reader->frame = (webp_area){
      little_endian(bytes, 3) * 2, little_endian(bytes + 3, 3) * 2,
      little_endian(bytes + 6, 3) + 1, little_endian(bytes + 9, 3) + 1};
  reader->codec->frame_count = 1;
  reader->is_in_frame = true;
}

/// Skips the rest of a frame without an image, as browsers do; returns false if the reader is not in such a frame.
static bool skip_empty_frame(webp_reader *reader) {
  if (!reader->is_in_frame || reader->has_alpha_plane) return false;
  skip_bytes(reader, reader->left);
  reader->left = reader->left_after_frame;
  reader->is_in_frame = false;
  return true;
}

/// Appends the header of the current chunk to the image data.
static void append_header(webp_reader *reader, const webp_chunk *chunk) {
  if (reader->codec->window) {
    webp_reserve(reader, CHUNK_HEADER_SIZE);
    memcpy(reader->copy + reader->size, chunk->header, CHUNK_HEADER_SIZE);
  } else if (!reader->data) {
    reader->data = reader->codec->next - CHUNK_HEADER_SIZE;
  }
  reader->size += CHUNK_HEADER_SIZE;
}

/// Reads the size of a lossy image from the header of its pixels.
static webp_area lossy_area(webp_reader *reader) {
  static const uint8_t start_code[] = {0x9D, 0x01, 0x2A};
  read_data(reader, LOSSY_HEADER_SIZE);
  const uint8_t *bytes = reader->data + reader->size - LOSSY_HEADER_SIZE;
  const bool is_key_frame = (bytes[0] & 1) == 0;
  if (!is_key_frame || memcmp(bytes + 3, start_code, sizeof start_code) != 0)
    codec_fail(reader->codec, LQIP_CORRUPT, "invalid lossy image: no key frame");
  return (webp_area){0, 0, little_endian(bytes + 6, 2) & 0x3FFF, little_endian(bytes + 8, 2) & 0x3FFF};
}

/// Returns whether alpha is used. In a still image with a VP8X chunk, browsers ignore alpha without the alpha flag.
static bool allows_alpha(const webp_reader *reader) {
  return !reader->is_extended || reader->is_animated || reader->has_alpha_flag;
}

static webp_area lossless_area(webp_reader *reader) {
  read_data(reader, LOSSLESS_HEADER_SIZE);
  const uint8_t *bytes = reader->data + reader->size - LOSSLESS_HEADER_SIZE;
  const uint32_t bits = little_endian(bytes + 1, 4);
  if (bytes[0] != 0x2F || bits >> 29 != 0)
    codec_fail(reader->codec, LQIP_CORRUPT, "invalid lossless image");
  reader->has_alpha = reader->has_alpha || (bits >> 28 && allows_alpha(reader));
  return (webp_area){0, 0, (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1};
}

/// Sets the canvas and the frame; fails if the size of the pixels contradicts the container.
static void set_canvas(webp_reader *reader, webp_area area) {
  lqip_codec *codec = reader->codec;
  if (!reader->is_extended) {
    reader->width = area.width;
    reader->height = area.height;
    codec_check_size(codec, area.width, area.height);
  }
  if (!reader->is_animated) reader->frame = (webp_area){0, 0, reader->width, reader->height};
  const webp_area frame = reader->frame;
  if (area.width == 0 || area.height == 0 || area.width != frame.width ||
      area.height != frame.height || frame.x + frame.width > reader->width ||
      frame.y + frame.height > reader->height)
    codec_fail(codec, LQIP_CORRUPT, "inconsistent sizes");
}

/// Reads the header of the pixels and checks the size of their chunk.
static void read_image_header(webp_reader *reader, const webp_chunk *chunk) {
  const size_t begin = reader->image_start = reader->size;
  if (reader->is_animated && reader->codec->frame_count == 0)
    codec_fail(reader->codec, LQIP_CORRUPT, "image data outside the frames");
  set_canvas(reader, reader->is_lossless ? lossless_area(reader) : lossy_area(reader));
  const uint64_t rest = chunk->size - (reader->size - begin);
  if (chunk->size < reader->size - begin || rest > reader->left)
    codec_fail(reader->codec, LQIP_CORRUPT, "invalid chunk size");
  reader->total_size = reader->size + (size_t)rest;
}

/// Rejects the unexpected chunks that browsers reject: before an image without VP8X, in a frame, and between alpha and
/// pixels.
static void check_order(webp_reader *reader, const webp_chunk *chunk) {
  const bool is_lossy = is_named(chunk, "VP8 ");
  const bool is_image = is_lossy || is_named(chunk, "VP8L");
  const bool is_first = !reader->is_extended && !is_image && !is_named(chunk, "VP8X");
  const bool is_in_frame = reader->is_in_frame && !is_image && !is_named(chunk, "ALPH");
  if (is_first || is_in_frame || (reader->has_alpha_plane && !is_lossy))
    codec_fail(reader->codec, LQIP_CORRUPT, "unexpected chunk before the image data");
}

/// Reads a chunk, or the start of a chunk with pixels; returns true if the chunk contains pixels.
static bool read_chunk(webp_reader *reader, const webp_chunk *chunk) {
  check_order(reader, chunk);
  if (is_named(chunk, "VP8 ") || is_named(chunk, "VP8L")) {
    append_header(reader, chunk);
    reader->is_lossless = is_named(chunk, "VP8L");
    read_image_header(reader, chunk);
    return true;
  }
  if (is_named(chunk, "ALPH") && allows_alpha(reader)) {
    append_header(reader, chunk);
    reader->has_alpha_plane = true;
    reader->alpha_start = reader->size;
    reader->alpha_size = chunk->size;
    read_data(reader, padded(chunk));
  } else if (is_named(chunk, "VP8X") && !reader->is_extended) {
    read_extended(reader, chunk);
  } else if (is_named(chunk, "ICCP")) {
    store_profile(reader, chunk);
  } else if (is_named(chunk, "ANMF")) {
    read_frame_header(reader, chunk);
  } else {
    read_bytes(reader, NULL, padded(chunk));
  }
  return false;
}

void webp_read_container(webp_reader *reader) {
  uint8_t header[12];
  reader->left = sizeof header;
  read_bytes(reader, header, sizeof header);
  const uint32_t size = little_endian(header + 4, 4);
  if (size < 4) codec_fail(reader->codec, LQIP_CORRUPT, "invalid file size");
  reader->left = size - 4;
  for (webp_chunk chunk;;) {
    if (next_chunk(reader, &chunk)) {
      if (read_chunk(reader, &chunk)) return;
    } else if (!skip_empty_frame(reader)) {
      codec_fail_damaged(reader->codec, "no image");
    }
  }
}

void webp_read_trailing_chunks(webp_reader *reader) {
  webp_chunk chunk;
  skip_bytes(reader, reader->total_size - reader->size + (reader->total_size & 1));
  if (reader->is_animated) {
    skip_bytes(reader, reader->left);
    reader->left = reader->left_after_frame;
  }
  while (next_chunk(reader, &chunk)) {
    const bool is_frame = reader->is_animated && is_named(&chunk, "ANMF");
    if (is_frame && !codec_count_frame(reader->codec)) break;
    if (reader->codec->limits.verifies) check_remaining(reader, chunk.size);
    skip_bytes(reader, padded(&chunk));
  }
  if (reader->codec->at_end && reader->codec->limits.verifies)
    codec_damage(reader->codec, "unexpected end of file");
}

#endif
