#include "lqip_png.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "png_metadata.h"
#include "png_passes.h"
#include "png_rows.h"

enum { MAX_CHUNK_SIZE = 4 << 20, MAX_CACHED_CHUNKS = 16, CHUNK_HEADER_SIZE = 8 };

enum { MAX_SIDE = 65535 };

/// The maximum number of bytes read after the last row to find the end of the pixels. They inflate to at most 16 MB.
enum { MAX_TAIL = 16 << 10 };

struct lqip_png_reader {
  lqip_codec *codec;
  png_structp png;
  png_infop info;
  lqip_header header;
  /// Whether an allocation within the limits has failed.
  bool lacks_memory;
  bool is_animated;
  uint32_t frame_count;
  png_passes passes;
  /// The size and the name of the current chunk.
  uint8_t chunk_header[CHUNK_HEADER_SIZE];
  /// The fast row reader; null if libpng reads the rows.
  png_rows *rows;
  /// The number of bytes read after the last row.
  size_t tail;
};

// Callbacks

static lqip_png_reader *reader_of(png_structp png) { return png_get_error_ptr(png); }

/// Fails if an allocation has failed. libpng itself reports a failed allocation as damage or ignores it.
static void check_memory(lqip_png_reader *reader) {
  if (reader->lacks_memory) codec_fail(reader->codec, LQIP_OUT_OF_MEMORY, "out of memory");
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
  lqip_png_reader *reader = png_get_mem_ptr(png);
  if (size > MAX_CHUNK_SIZE) return NULL;
  png_voidp memory = malloc(size);
  reader->lacks_memory = reader->lacks_memory || !memory;
  return memory;
}

static void release(png_structp png, png_voidp memory) {
  (void)png;
  free(memory);
}

/// Returns whether libpng has returned all rows and reads on only to find the end of their data.
static bool has_all_rows(const lqip_png_reader *reader) {
  if (reader->header.height == 0) return false;
  return reader->passes.is_interlaced
             ? png_get_current_pass_number(reader->png) == PNG_INTERLACE_ADAM7_PASSES
             : png_get_current_row_number(reader->png) == reader->header.height;
}

static void read_data(png_structp png, png_bytep bytes, size_t count) {
  lqip_png_reader *reader = reader_of(png);
  lqip_codec *codec = reader->codec;
  // libpng inflates in small pieces, and a single piece can take a second.
  codec_check_deadline(codec);
  if (!codec->limits.verifies && has_all_rows(reader)) {
    reader->tail += count;
    if (reader->tail > MAX_TAIL) longjmp(codec->failed, 1);
  }
  if (codec_read(codec, bytes, count) < count) png_error(png, "unexpected end of file");
  if (count == CHUNK_HEADER_SIZE) memcpy(reader->chunk_header, bytes, CHUNK_HEADER_SIZE);
}

// Entry points

lqip_png_reader *lqip_png_reader_create(lqip_codec *codec) {
  lqip_png_reader *reader = calloc(1, sizeof *reader);
  if (reader) reader->codec = codec;
  return reader;
}

void lqip_png_reader_destroy(lqip_png_reader *reader) {
  png_rows_destroy(reader->rows);
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

static void prepare(lqip_png_reader *reader) {
  // libpng stores these chunks without interpreting them.
  static const png_byte stored[] = "acTL\0cICP\0fcTL";
  // These chunks do not affect pixels, and 200 small text chunks can inflate to 1.4 GB.
  static const png_byte ignored[] =
      "bKGD\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sCAL\0sPLT\0tEXt\0tIME\0zTXt";
  reader->png = png_create_read_struct_2(
      PNG_LIBPNG_VER_STRING, reader, error, warning, reader, allocate, release);
  if (reader->png) reader->info = png_create_info_struct(reader->png);
  if (!reader->info) codec_fail(reader->codec, LQIP_OUT_OF_MEMORY, "out of memory");
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
static void choose_layout(lqip_png_reader *reader) {
  png_set_expand(reader->png);
  png_set_scale_16(reader->png);
  png_read_update_info(reader->png, reader->info);
  reader->header.channels = png_get_channels(reader->png, reader->info);
}

/// Checks the size of the image before libpng reads it, because one libpng call parses all chunks before the pixels.
static void check_size(lqip_png_reader *reader) {
  enum { NAME = 12, WIDTH = 16, HEIGHT = 20, END = 24 };
  lqip_codec *codec = reader->codec;
  if (codec->available < END || memcmp(codec->next + NAME, "IHDR", 4) != 0) return;
  const uint32_t width = png_get_uint_32(codec->next + WIDTH);
  const uint32_t height = png_get_uint_32(codec->next + HEIGHT);
  codec_check_size(codec, width, height, codec->limits.max_png_pixels);
  if (width > MAX_SIDE || height > MAX_SIDE)
    codec_fail(codec, LQIP_TOO_LARGE, "a side exceeds 65,535 pixels");
}

/// Creates the fast row reader if the input can be rewound, which `fall_back_to_libpng` needs.
static void create_fast_rows(lqip_png_reader *reader) {
  if (memcmp(reader->chunk_header + 4, "IDAT", 4) != 0 || !codec_can_rewind(reader->codec)) return;
  reader->rows = png_rows_create(
      reader->codec, reader->png, reader->info, png_get_uint_32(reader->chunk_header));
}

bool lqip_png_reader_read_header(lqip_png_reader *reader, lqip_header *header) {
  if (setjmp(reader->codec->failed)) return false;
  check_size(reader);
  prepare(reader);
  png_read_info(reader->png, reader->info);
  check_memory(reader);
  create_fast_rows(reader);
  reader->header.width = png_get_image_width(reader->png, reader->info);
  reader->header.height = png_get_image_height(reader->png, reader->info);
  reader->passes.is_interlaced =
      png_get_interlace_type(reader->png, reader->info) == PNG_INTERLACE_ADAM7;
  reader->frame_count = png_frame_count(reader->png, reader->info);
  // A single frame makes an animation only if it is not the default image, which then has no fcTL chunk.
  const bool is_frame = png_stored_chunk(reader->png, reader->info, "fcTL") != NULL;
  reader->is_animated = reader->frame_count > (is_frame ? 1 : 0);
  choose_layout(reader);
  *header = reader->header;
  return true;
}

bool lqip_png_reader_is_animated(const lqip_png_reader *reader) { return reader->is_animated; }

uint32_t lqip_png_reader_frame_count(const lqip_png_reader *reader) { return reader->frame_count; }

lqip_png_color lqip_png_reader_color(const lqip_png_reader *reader) {
  return png_color_description(reader->png, reader->info);
}

lqip_bytes lqip_png_reader_exif(const lqip_png_reader *reader) {
  png_bytep exif;
  png_uint_32 size;
  if (!png_get_eXIf_1(reader->png, reader->info, &size, &exif)) return (lqip_bytes){NULL, 0};
  return (lqip_bytes){exif, size};
}

/// Restarts with libpng, and skips to the current row.
static void fall_back_to_libpng(lqip_png_reader *reader, uint8_t *samples) {
  png_rows_destroy(reader->rows);
  reader->rows = NULL;
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  codec_rewind(reader->codec);
  prepare(reader);
  png_read_info(reader->png, reader->info);
  const lqip_header header = reader->header;
  choose_layout(reader);
  if (png_get_image_width(reader->png, reader->info) != header.width ||
      png_get_image_height(reader->png, reader->info) != header.height ||
      reader->header.channels != header.channels)
    codec_fail(reader->codec, LQIP_CORRUPT, "the file changed during decoding");
  for (uint32_t y = 0; y < reader->passes.row; y++) png_read_row(reader->png, samples, NULL);
}

void lqip_png_reader_use_libpng(lqip_png_reader *reader) {
  png_rows_destroy(reader->rows);
  reader->rows = NULL;
}

bool lqip_png_reader_read_row(
    lqip_png_reader *reader, uint8_t *samples, lqip_png_row *row, bool *has_row) {
  *has_row = false;
  if (setjmp(reader->codec->failed)) {
    if (reader->tail > MAX_TAIL) return *has_row = reader->passes.is_finished = true;
    return codec_recover(reader->codec);
  }
  if (!png_passes_find_row(&reader->passes, &reader->header, row)) return true;
  if (!reader->rows || !png_rows_read(reader->rows, samples)) {
    if (reader->rows) fall_back_to_libpng(reader, samples);
    png_read_row(reader->png, samples, NULL);
    check_memory(reader);
  }
  reader->passes.row++;
  *has_row = true;
  return true;
}

bool lqip_png_reader_verify(lqip_png_reader *reader) {
  if (setjmp(reader->codec->failed)) return codec_recover(reader->codec);
  // libpng cannot continue after a failure.
  if (!reader->codec->had_failure) png_read_end(reader->png, NULL);
  return true;
}
