#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "png_reader.h"

enum { MAX_SIDE = 65535 };

// Callbacks

static png_reader *reader_of(png_structp png) { return png_get_error_ptr(png); }

static void error(png_structp png, png_const_charp message) {
  png_check_memory(reader_of(png));
  codec_fail_damaged(reader_of(png)->codec, message);
}

static void warning(png_structp png, png_const_charp message) {
  codec_warn(reader_of(png)->codec, message);
}

/// Allocates memory for libpng, up to a limit, because libpng trusts the size of a chunk.
static png_voidp allocate(png_structp png, png_alloc_size_t size) {
  png_reader *reader = png_get_mem_ptr(png);
  if (size > MAX_CHUNK_SIZE) return NULL;
  png_voidp memory = malloc(size);
  reader->lacks_memory = reader->lacks_memory || !memory;
  return memory;
}

static void release(png_structp png, png_voidp memory) {
  (void)png;
  free(memory);
}

void png_check_memory(png_reader *reader) {
  if (reader->lacks_memory) codec_fail_out_of_memory(reader->codec);
}

// Header

static void prepare(png_reader *reader) {
  static const png_byte stored[] = STORED_CHUNKS;
  // These chunks do not affect pixels, and 200 small text chunks can inflate to 1.4 GB.
  static const png_byte ignored[] =
      "bKGD\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sCAL\0sPLT\0tEXt\0tIME\0zTXt";
  reader->png = png_create_read_struct_2(
      PNG_LIBPNG_VER_STRING, reader, error, warning, reader, allocate, release);
  if (reader->png) reader->info = png_create_info_struct(reader->png);
  if (!reader->info) codec_fail_out_of_memory(reader->codec);
  png_set_read_fn(reader->png, reader, png_read_source);
  png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(reader->png, MAX_CHUNK_SIZE);
  png_set_chunk_cache_max(reader->png, MAX_CACHED_CHUNKS);
  png_set_crc_action(reader->png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
  // libpng drops an incomplete buffer at the end of the file, so a small buffer loses fewer rows.
  if (reader->codec->limits.lenient) png_set_compression_buffer_size(reader->png, 32);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, ignored, 11);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_ALWAYS, stored, STORED_NAME_COUNT);
  reader->chunk_left = SIGNATURE_SIZE;
  reader->is_frame_data = reader->is_stored = false;
  reader->stored_count = reader->damaged_chunks = 0;
}

/// Requests 8 bits per sample, no palette, and alpha only if the image has transparency.
static void choose_layout(png_reader *reader) {
  png_set_expand(reader->png);
  png_set_scale_16(reader->png);
  png_read_update_info(reader->png, reader->info);
  reader->codec->header.channels = png_get_channels(reader->png, reader->info);
}

/// Checks the size of the image before libpng reads it, because one libpng call parses all chunks before the pixels.
static void check_size(lqip_codec *codec) {
  enum { NAME = 12, WIDTH = 16, HEIGHT = 20, END = 24 };
  if (codec->available < END || memcmp(codec->next + NAME, "IHDR", 4) != 0) return;
  const uint32_t width = png_get_uint_32(codec->next + WIDTH);
  const uint32_t height = png_get_uint_32(codec->next + HEIGHT);
  codec_check_size(codec, width, height);
  if (width > MAX_SIDE || height > MAX_SIDE)
    codec_fail(codec, LQIP_TOO_LARGE, "a side exceeds 65,535 pixels");
}

/// Finds the first intact chunk of a name and, unless `size` is 0, of that size, as in Chromium; null if there is none.
///
/// Warns of each other intact chunk of the name; libpng warns of damaged ones.
static png_unknown_chunkp stored_chunk(png_reader *reader, const char *name, size_t size) {
  png_unknown_chunkp chunks, found = NULL;
  const int count = png_get_unknown_chunks(reader->png, reader->info, &chunks);
  for (int i = 0; i < count; i++) {
    const bool is_damaged = i < MAX_CACHED_CHUNKS && reader->damaged_chunks >> i & 1;
    if (memcmp(chunks[i].name, name, 4) != 0 || is_damaged) continue;
    const char *reason = size > 0 && chunks[i].size != size ? "wrong size" : "not the first";
    if (!found && (size == 0 || chunks[i].size == size)) {
      found = &chunks[i];
      continue;
    }
    char message[MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s chunk ignored: %s", name, reason);
    codec_warn(reader->codec, message);
  }
  return found;
}

static bool is_after_palette(const png_unknown_chunk *chunk) {
  return (chunk->location & PNG_HAVE_PLTE) != 0;
}

/// Returns the number of frames in the acTL chunk, at most `MAX_FRAMES`; 0 if the chunk is missing or invalid.
static uint32_t frame_count(png_reader *reader) {
  const png_unknown_chunkp control = stored_chunk(reader, "acTL", 8);
  if (!control) return 0;
  const uint32_t count = png_get_uint_32(control->data);
  return count < MAX_FRAMES ? count : MAX_FRAMES;
}

/// Creates the fast row reader if the options allow it and the input can be rewound, which `fall_back_to_libpng` needs.
static void create_fast_rows(png_reader *reader) {
  const lqip_limits *limits = &reader->codec->limits;
  if (limits->exact || limits->verifies || limits->lenient || reader->shows_first_frame) return;
  if (memcmp(reader->chunk_header + 4, "IDAT", 4) != 0 || !codec_can_rewind(reader->codec)) return;
  reader->rows = png_rows_create(
      reader->codec, reader->png, reader->info, png_get_uint_32(reader->chunk_header));
}

/// Inflates the profile of an iCCP chunk: a name, the compression method and a zlib stream.
///
/// Returns no bytes if the chunk is damaged, or if the profile is longer than `MAX_CHUNK_SIZE`.
static lqip_bytes inflated_profile(png_reader *reader, const png_unknown_chunk *chunk) {
  enum { MAX_NAME = 79, SIZE = 4, HEADER = 128 };
  const uint8_t *end = memchr(chunk->data, 0, chunk->size < MAX_NAME + 1 ? chunk->size : MAX_NAME + 1);
  const size_t start = end ? (size_t)(end - chunk->data) + 2 : chunk->size;
  if (start >= chunk->size || end[1] != 0) return (lqip_bytes){0};
  uint8_t header[HEADER];
  z_stream stream = {
      .next_in = chunk->data + start, .avail_in = (uInt)(chunk->size - start),
      .next_out = header, .avail_out = HEADER};
  if (inflateInit(&stream) != Z_OK) codec_fail_out_of_memory(reader->codec);
  inflate(&stream, Z_SYNC_FLUSH);
  const uint32_t size = stream.avail_out == 0 ? png_get_uint_32(header) : 0;
  if (size > HEADER && size <= MAX_CHUNK_SIZE && (reader->profile = malloc(size))) {
    memcpy(reader->profile, header, HEADER);
    stream.next_out = reader->profile + HEADER;
    stream.avail_out = size - HEADER;
    inflate(&stream, Z_SYNC_FLUSH);
  }
  inflateEnd(&stream);
  if (size > HEADER && size <= MAX_CHUNK_SIZE && !reader->profile)
    codec_fail_out_of_memory(reader->codec);
  const bool is_complete = reader->profile && stream.avail_out == 0;
  return is_complete ? (lqip_bytes){reader->profile, size} : (lqip_bytes){0};
}

/// Collects the chunks that declare a color space: the first of each name, whatever their order. The caller chooses.
static lqip_color read_color(png_reader *reader) {
  enum { MAX_INTENT = 3 };
  lqip_color color = {0};
  const png_unknown_chunkp coding = stored_chunk(reader, "cICP", sizeof color.coding);
  color.has_coding = coding && !is_after_palette(coding);
  if (color.has_coding) memcpy(color.coding, coding->data, sizeof color.coding);
  const png_unknown_chunkp profile = stored_chunk(reader, "iCCP", 0);
  color.has_profile = profile != NULL;
  if (profile) color.icc_profile = inflated_profile(reader, profile);
  const png_unknown_chunkp intent = stored_chunk(reader, "sRGB", 1);
  color.has_srgb = intent && intent->data[0] <= MAX_INTENT;
  const png_unknown_chunkp gamma = stored_chunk(reader, "gAMA", 4);
  color.has_gamma = gamma != NULL;
  if (gamma) color.gamma = png_get_uint_32(gamma->data) / 1e5;
  const png_unknown_chunkp points = stored_chunk(reader, "cHRM", 32);
  color.has_chromaticities = points != NULL;
  double *const values[] = {color.white, color.red, color.green, color.blue};
  for (int i = 0; points && i < 8; i++)
    values[i / 2][i % 2] = png_get_uint_32(points->data + 4 * i) / 1e5;
  // As in Chromium, the light of the display on which the image was graded is second best.
  const png_unknown_chunkp light = stored_chunk(reader, "cLLI", 8);
  const png_unknown_chunkp display = stored_chunk(reader, "mDCV", 24);
  if (light) color.max_luminance = png_get_uint_32(light->data) / 1e4;
  if (display && color.max_luminance == 0)
    color.max_luminance = png_get_uint_32(display->data + 16) / 1e4;
  return color;
}

/// Creates the libpng reader, and parses the chunks before the image data.
static void read_header(png_reader *reader) {
  prepare(reader);
  png_read_info(reader->png, reader->info);
  png_check_memory(reader);
}

static void restart(png_reader *reader) {
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  codec_rewind(reader->codec);
  read_header(reader);
}

/// Counts the frames. If the default image is no frame, because no fcTL chunk precedes it, reads the first frame instead,
/// as browsers do.
static void read_animation(png_reader *reader) {
  lqip_codec *codec = reader->codec;
  codec->frame_count = frame_count(reader);
  const bool is_frame = stored_chunk(reader, "fcTL", 26) != NULL;
  // A single frame makes an animation only if it is not the default image.
  codec->header.is_animated = codec->frame_count > (is_frame ? 1 : 0);
  if (!codec->header.is_animated || is_frame) return;
  if (codec_can_rewind(codec)) {
    reader->shows_first_frame = png_has_complete_frame(reader);
    restart(reader);
  }
  if (!reader->shows_first_frame)
    codec_warn(codec, "default image shown: the first frame is missing, partial, or read from a pipe");
}

static void open_image(lqip_codec *codec) {
  png_reader *reader = codec->reader;
  lqip_header *header = &codec->header;
  reader->codec = codec;
  check_size(codec);
  read_header(reader);
  read_animation(reader);
  create_fast_rows(reader);
  header->width = png_get_image_width(reader->png, reader->info);
  header->height = png_get_image_height(reader->png, reader->info);
  choose_layout(reader);
  codec->color = read_color(reader);
  const png_unknown_chunkp exif = stored_chunk(reader, "eXIf", 0);
  if (exif) codec->exif = (lqip_bytes){exif->data, exif->size};
}

static void close_image(void *memory) {
  png_reader *reader = memory;
  png_rows_destroy(reader->rows);
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader->profile);
}

/// Restarts with libpng, and skips to the current row.
static void fall_back_to_libpng(png_reader *reader, uint8_t *samples) {
  png_rows_destroy(reader->rows);
  reader->rows = NULL;
  restart(reader);
  const lqip_header header = reader->codec->header;
  choose_layout(reader);
  if (png_get_image_width(reader->png, reader->info) != header.width ||
      png_get_image_height(reader->png, reader->info) != header.height ||
      reader->codec->header.channels != header.channels)
    codec_fail(reader->codec, LQIP_CORRUPT, "the file changed during decoding");
  for (uint32_t y = 0; y < reader->next_row; y++) png_read_row(reader->png, samples, NULL);
}

/// Finds the next row; returns false after the last one. Passes without pixels, as in small images, are skipped.
static bool find_row(png_reader *reader, lqip_row *row) {
  const lqip_header *size = &reader->codec->header;
  if (!png_is_interlaced(reader)) {
    *row = (lqip_row){.y = reader->next_row, .step_x = 1, .count = size->width};
    return reader->next_row < size->height;
  }
  for (; reader->pass < PNG_INTERLACE_ADAM7_PASSES; reader->pass++, reader->next_row = 0) {
    const int pass = reader->pass;
    const uint32_t count = PNG_PASS_COLS(size->width, pass);
    if (count == 0 || reader->next_row == PNG_PASS_ROWS(size->height, pass)) continue;
    *row = (lqip_row){
        .y = PNG_ROW_FROM_PASS_ROW(reader->next_row, pass), .first_x = PNG_PASS_START_COL(pass),
        .step_x = PNG_PASS_COL_OFFSET(pass), .count = count};
    return true;
  }
  return false;
}

/// Decodes the next row. Returns early if the row is complete, but the end of the pixels is not found after it.
static void decode_row(png_reader *reader, uint8_t *samples) {
  if (setjmp(reader->tail_ended)) return;
  if (reader->rows) {
    if (png_rows_read(reader->rows, samples)) return;
    fall_back_to_libpng(reader, samples);
  }
  png_read_row(reader->png, samples, NULL);
  png_check_memory(reader);
}

static bool read_row(lqip_codec *codec, uint8_t *samples, lqip_row *row) {
  png_reader *reader = codec->reader;
  if (reader->tail > MAX_TAIL || !find_row(reader, row)) {
    if (codec->limits.verifies) png_read_end(reader->png, NULL);
    codec->leaves_rest = codec->header.is_animated && !codec->limits.verifies;
    return false;
  }
  decode_row(reader, samples);
  reader->next_row++;
  return true;
}

const codec_format png_format = {sizeof(png_reader), open_image, read_row, close_image, true};
