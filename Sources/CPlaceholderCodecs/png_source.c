// The bytes that libpng receives: the file, or its first frame in the place of a default image that is no frame.
//
// The chunks of a frame (fdAT) contain a sequence number before the data of an IDAT chunk, so libpng can decode them
// under that name, with another checksum.
//
// Source: PNG, Third Edition, sections 4.9 and 11.3.6.

#include <string.h>

#include "png_reader.h"

bool png_is_interlaced(const png_reader *reader) {
  return png_get_interlace_type(reader->png, reader->info) == PNG_INTERLACE_ADAM7;
}

/// Returns whether libpng has returned all rows and reads on only to find the end of their data.
static bool has_all_rows(const png_reader *reader) {
  const uint32_t height = reader->codec->header.height;
  if (height == 0) return false;
  return png_is_interlaced(reader)
             ? png_get_current_pass_number(reader->png) == PNG_INTERLACE_ADAM7_PASSES
             : png_get_current_row_number(reader->png) == height;
}

/// Reads `count` bytes, or skips them if `bytes` is null; fails at the end of the file.
static void read_bytes(png_reader *reader, png_bytep _Nullable bytes, size_t count) {
  if (codec_read(reader->codec, bytes, count) < count)
    png_error(reader->png, "unexpected end of file");
  reader->chunk_left -= count;
}

static bool is_named(const uint8_t *header, const char *name) { return memcmp(header + 4, name, 4) == 0; }

/// Reads the header of the next chunk.
static void read_chunk_header(png_reader *reader, png_bytep header) {
  reader->chunk_left = CHUNK_HEADER_SIZE;
  read_bytes(reader, header, CHUNK_HEADER_SIZE);
  reader->chunk_left = (uint64_t)png_get_uint_32(header) + CHECKSUM_SIZE;
}

static void skip_chunk(png_reader *reader) { read_bytes(reader, NULL, reader->chunk_left); }

/// Reads the header of the next chunk, or of the first fdAT chunk instead of that of the default image.
static void read_frame_header(png_reader *reader, png_bytep header) {
  reader->is_frame_data = false;
  read_chunk_header(reader, header);
  if (!is_named(header, "IDAT")) return;
  do {
    skip_chunk(reader);
    read_chunk_header(reader, header);
  } while (!is_named(header, "fdAT") && !is_named(header, "IEND"));
}

/// Makes an fdAT chunk an IDAT chunk: drops its sequence number.
static void begin_frame_data(png_reader *reader, png_bytep header) {
  uint8_t number[4];
  const uint32_t size = png_get_uint_32(header);
  if (size < sizeof number) png_error(reader->png, "fdAT chunk too short");
  read_bytes(reader, number, sizeof number);
  reader->is_frame_data = true;
  reader->stored_checksum = crc32(crc32(0, header + 4, 4), number, sizeof number);
  png_save_uint_32(header, size - sizeof number);
  memcpy(header + 4, "IDAT", 4);
  reader->passed_checksum = crc32(0, header + 4, 4);
}

/// Reads bytes of an fdAT chunk; its checksum becomes that of the IDAT chunk, or stays wrong.
static void read_frame_data(png_reader *reader, png_bytep bytes, size_t count) {
  const bool is_checksum = reader->chunk_left == CHECKSUM_SIZE;
  read_bytes(reader, bytes, count);
  if (is_checksum) {
    const bool is_intact = png_get_uint_32(bytes) == reader->stored_checksum;
    png_save_uint_32(bytes, (png_uint_32)reader->passed_checksum ^ (is_intact ? 0 : 1));
  } else {
    reader->stored_checksum = crc32(reader->stored_checksum, bytes, (uInt)count);
    reader->passed_checksum = crc32(reader->passed_checksum, bytes, (uInt)count);
  }
}

static bool has_stored_name(const uint8_t *header) {
  for (int i = 0; i < STORED_NAME_COUNT; i++)
    if (is_named(header, &STORED_CHUNKS[i * 5])) return true;
  return false;
}

/// Reads bytes of a chunk that libpng stores, and notes whether its checksum is wrong.
static void read_stored_data(png_reader *reader, png_bytep bytes, size_t count) {
  const bool is_checksum = reader->chunk_left == CHECKSUM_SIZE;
  read_bytes(reader, bytes, count);
  if (!is_checksum) {
    reader->checksum = crc32(reader->checksum, bytes, (uInt)count);
  } else if (reader->stored_count < MAX_CACHED_CHUNKS) {
    const bool is_damaged = png_get_uint_32(bytes) != reader->checksum;
    reader->damaged_chunks |= (uint32_t)is_damaged << reader->stored_count++;
  }
}

void png_read_source(png_structp png, png_bytep bytes, size_t count) {
  png_reader *reader = png_get_error_ptr(png);
  lqip_codec *codec = reader->codec;
  // libpng inflates in small pieces, and a single piece can take a second.
  codec_check_deadline(codec);
  if (!codec->limits.verifies && has_all_rows(reader)) {
    reader->tail += count;
    if (reader->tail > MAX_TAIL) longjmp(reader->tail_ended, 1);
  }
  if (reader->chunk_left > 0) {
    if (reader->is_frame_data)
      read_frame_data(reader, bytes, count);
    else if (reader->is_stored)
      read_stored_data(reader, bytes, count);
    else
      read_bytes(reader, bytes, count);
    return;
  }
  if (reader->shows_first_frame) {
    read_frame_header(reader, bytes);
    if (is_named(bytes, "fdAT")) begin_frame_data(reader, bytes);
    // The fcTL chunk of the first frame was skipped, so this is the next frame.
    if (is_named(bytes, "fcTL")) reader->shows_first_frame = false;
  } else {
    read_chunk_header(reader, bytes);
  }
  memcpy(reader->chunk_header, bytes, CHUNK_HEADER_SIZE);
  // libpng skips larger chunks.
  reader->is_stored = has_stored_name(bytes) && png_get_uint_32(bytes) <= MAX_CHUNK_SIZE;
  reader->checksum = crc32(0, bytes + 4, 4);
}

bool png_has_complete_frame(png_reader *reader) {
  enum { SIZE = 26, WIDTH = 4, HEIGHT = 8, X = 12, Y = 16 };
  lqip_codec *codec = reader->codec;
  uint8_t header[CHUNK_HEADER_SIZE], frame[SIZE];
  bool covers = false;
  for (;;) {
    codec_check_deadline(codec);
    if (codec_read(codec, NULL, reader->chunk_left) < reader->chunk_left) return false;
    if (codec_read(codec, header, sizeof header) < sizeof header) return false;
    reader->chunk_left = (uint64_t)png_get_uint_32(header) + CHECKSUM_SIZE;
    if (is_named(header, "fdAT") || is_named(header, "IEND") || (covers && is_named(header, "fcTL")))
      return covers && is_named(header, "fdAT");
    if (!is_named(header, "fcTL") || reader->chunk_left != SIZE + CHECKSUM_SIZE) continue;
    if (codec_read(codec, frame, sizeof frame) < sizeof frame) return false;
    reader->chunk_left -= SIZE;
    covers = png_get_uint_32(frame + WIDTH) == png_get_image_width(reader->png, reader->info) &&
             png_get_uint_32(frame + HEIGHT) == png_get_image_height(reader->png, reader->info) &&
             png_get_uint_32(frame + X) == 0 && png_get_uint_32(frame + Y) == 0;
  }
}
