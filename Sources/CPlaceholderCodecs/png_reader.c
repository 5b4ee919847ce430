#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "png_rows.h"

enum {
  MAX_SIDE = 65535,
  MAX_CHUNK_SIZE = 4 << 20,
  MAX_CACHED_CHUNKS = 16,
  CHUNK_HEADER_SIZE = 8,
  /// The maximum number of bytes read after the last row to find the end of the pixels. They inflate to at most 16 MB.
  MAX_TAIL = 16 << 10,
};

typedef struct {
  lqip_codec *codec;
  png_structp png;
  png_infop info;
  /// Whether an allocation within the limits has failed.
  bool lacks_memory;
  /// The current pass of an interlaced image, and the number of the next row in the pass.
  int pass;
  uint32_t next_row;
  /// The size and the name of the current chunk.
  uint8_t chunk_header[CHUNK_HEADER_SIZE];
  /// The fast row reader; null if libpng reads the rows.
  png_rows *rows;
  /// The number of bytes read after the last row, and the jump target once they exceed `MAX_TAIL`.
  size_t tail;
  jmp_buf tail_ended;
} png_reader;

// Callbacks

static png_reader *reader_of(png_structp png) { return png_get_error_ptr(png); }

/// Fails if an allocation has failed. libpng itself reports a failed allocation as damage or ignores it.
static void check_memory(png_reader *reader) {
  if (reader->lacks_memory) codec_fail_out_of_memory(reader->codec);
}

static void error(png_structp png, png_const_charp message) {
  check_memory(reader_of(png));
  codec_fail_damaged(reader_of(png)->codec, message);
}

static void warning(png_structp png, png_const_charp message) {
  codec_warn(reader_of(png)->codec, message);
}

/// Allocates memory for libpng, up to a limit, because libpng trusts the size in an eXIf chunk.
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

static bool is_interlaced(const png_reader *reader) {
  return png_get_interlace_type(reader->png, reader->info) == PNG_INTERLACE_ADAM7;
}

/// Returns whether libpng has returned all rows and reads on only to find the end of their data.
static bool has_all_rows(const png_reader *reader) {
  const uint32_t height = reader->codec->header.height;
  if (height == 0) return false;
  return is_interlaced(reader)
             ? png_get_current_pass_number(reader->png) == PNG_INTERLACE_ADAM7_PASSES
             : png_get_current_row_number(reader->png) == height;
}

static void read_data(png_structp png, png_bytep bytes, size_t count) {
  png_reader *reader = reader_of(png);
  lqip_codec *codec = reader->codec;
  // libpng inflates in small pieces, and a single piece can take a second.
  codec_check_deadline(codec);
  if (!codec->limits.verifies && has_all_rows(reader)) {
    reader->tail += count;
    if (reader->tail > MAX_TAIL) longjmp(reader->tail_ended, 1);
  }
  if (codec_read(codec, bytes, count) < count) png_error(png, "unexpected end of file");
  if (count == CHUNK_HEADER_SIZE) memcpy(reader->chunk_header, bytes, CHUNK_HEADER_SIZE);
}

// Header

static void prepare(png_reader *reader) {
  // libpng stores these chunks without interpreting them.
  static const png_byte stored[] = "acTL\0cICP\0fcTL";
  // These chunks do not affect pixels, and 200 small text chunks can inflate to 1.4 GB.
  static const png_byte ignored[] =
      "bKGD\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sCAL\0sPLT\0tEXt\0tIME\0zTXt";
  reader->png = png_create_read_struct_2(
      PNG_LIBPNG_VER_STRING, reader, error, warning, reader, allocate, release);
  if (reader->png) reader->info = png_create_info_struct(reader->png);
  if (!reader->info) codec_fail_out_of_memory(reader->codec);
  png_set_read_fn(reader->png, reader, read_data);
  png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(reader->png, MAX_CHUNK_SIZE);
  png_set_chunk_cache_max(reader->png, MAX_CACHED_CHUNKS);
  png_set_crc_action(reader->png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
  // libpng drops an incomplete buffer at the end of the file, so a small buffer loses fewer rows.
  if (reader->codec->limits.lenient) png_set_compression_buffer_size(reader->png, 32);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, ignored, 11);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_ALWAYS, stored, 3);
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

/// Finds a chunk that libpng stores without interpreting it; returns null if the file does not contain it.
static png_unknown_chunkp stored_chunk(png_structp png, png_infop info, const char *name) {
  png_unknown_chunkp chunks;
  int count = png_get_unknown_chunks(png, info, &chunks);
  for (int i = 0; i < count; i++)
    if (memcmp(chunks[i].name, name, 4) == 0) return &chunks[i];
  return NULL;
}

/// Returns the number of frames in the acTL chunk, at most `MAX_FRAMES`; 0 if the chunk is missing or invalid.
static uint32_t frame_count(png_structp png, png_infop info) {
  enum { SIZE = 8 };
  const png_unknown_chunkp control = stored_chunk(png, info, "acTL");
  if (!control || control->size != SIZE) return 0;
  const uint32_t count = png_get_uint_32(control->data);
  return count < MAX_FRAMES ? count : MAX_FRAMES;
}

/// Creates the fast row reader if the options allow it and the input can be rewound, which `fall_back_to_libpng` needs.
static void create_fast_rows(png_reader *reader) {
  const lqip_limits *limits = &reader->codec->limits;
  if (limits->exact || limits->verifies || limits->lenient) return;
  if (memcmp(reader->chunk_header + 4, "IDAT", 4) != 0 || !codec_can_rewind(reader->codec)) return;
  reader->rows = png_rows_create(
      reader->codec, reader->png, reader->info, png_get_uint_32(reader->chunk_header));
}

static lqip_color read_color(png_structp png, png_infop info) {
  lqip_color color = {0};
  png_charp name;
  png_bytep profile;
  png_uint_32 size;
  int method;
  if (png_get_iCCP(png, info, &name, &method, &profile, &size))
    color.icc_profile = (lqip_bytes){profile, size};
  const png_unknown_chunkp coding = stored_chunk(png, info, "cICP");
  color.has_coding = coding && coding->size == sizeof color.coding;
  if (color.has_coding) memcpy(color.coding, coding->data, sizeof color.coding);
  color.has_srgb = png_get_sRGB(png, info, &method) != 0;
  color.has_gamma = png_get_gAMA(png, info, &color.gamma) != 0;
  color.has_chromaticities = png_get_cHRM(
      png, info, &color.white[0], &color.white[1], &color.red[0], &color.red[1],
      &color.green[0], &color.green[1], &color.blue[0], &color.blue[1]) != 0;
  return color;
}

static void open_image(lqip_codec *codec) {
  png_reader *reader = codec->reader;
  lqip_header *header = &codec->header;
  reader->codec = codec;
  check_size(codec);
  prepare(reader);
  const png_structp png = reader->png;
  const png_infop info = reader->info;
  png_read_info(png, info);
  check_memory(reader);
  create_fast_rows(reader);
  header->width = png_get_image_width(png, info);
  header->height = png_get_image_height(png, info);
  codec->frame_count = frame_count(png, info);
  // A single frame makes an animation only if it is not the default image, which then has no fcTL chunk.
  const bool is_frame = stored_chunk(png, info, "fcTL") != NULL;
  header->is_animated = codec->frame_count > (is_frame ? 1 : 0);
  choose_layout(reader);
  codec->color = read_color(png, info);
  png_bytep exif;
  png_uint_32 size;
  if (png_get_eXIf_1(png, info, &size, &exif)) codec->exif = (lqip_bytes){exif, size};
}

static void close_image(void *memory) {
  png_reader *reader = memory;
  png_rows_destroy(reader->rows);
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
}

/// Restarts with libpng, and skips to the current row.
static void fall_back_to_libpng(png_reader *reader, uint8_t *samples) {
  png_rows_destroy(reader->rows);
  reader->rows = NULL;
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  codec_rewind(reader->codec);
  prepare(reader);
  png_read_info(reader->png, reader->info);
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
  if (!is_interlaced(reader)) {
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
  check_memory(reader);
}

static bool read_row(lqip_codec *codec, uint8_t *samples, lqip_row *row) {
  png_reader *reader = codec->reader;
  if (reader->tail > MAX_TAIL || !find_row(reader, row)) {
    if (codec->limits.verifies) png_read_end(reader->png, NULL);
    return false;
  }
  decode_row(reader, samples);
  reader->next_row++;
  return true;
}

const codec_format png_format = {sizeof(png_reader), open_image, read_row, close_image, true};
