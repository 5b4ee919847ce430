#include "codec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

lqip_codec *lqip_codec_create_with_bytes(
    const uint8_t *bytes, size_t count, lqip_limits limits) {
  lqip_codec *codec = calloc(1, sizeof *codec);
  if (!codec) return NULL;
  codec->failed = &codec->entry;
  codec->limits = limits;
  codec->descriptor = -1;
  codec->memory = codec->memory_start = bytes;
  codec->memory_left = codec->memory_size = count;
  codec_start_clock(codec);
  return codec;
}

lqip_codec *lqip_codec_create_with_descriptor(int descriptor, lqip_limits limits) {
  struct stat status;
  const off_t start = lseek(descriptor, 0, SEEK_CUR);
  if (start >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
    return lqip_codec_create_with_file(descriptor, start, status.st_size, limits);
  lqip_codec *codec = lqip_codec_create_with_file(descriptor, 0, 0, limits);
  if (codec) codec->is_file = false;
  return codec;
}

lqip_codec *lqip_codec_create_with_file(
    int descriptor, int64_t start, int64_t end, lqip_limits limits) {
  lqip_codec *codec = lqip_codec_create_with_bytes(NULL, 0, limits);
  if (!codec) return NULL;
  codec->descriptor = descriptor;
  codec->is_file = true;
  codec->file_start = codec->file_offset = start;
  codec->file_end = end;
  codec->window = malloc(WINDOW_SIZE);
  if (codec->window) return codec;
  free(codec);
  return NULL;
}

void lqip_codec_destroy(lqip_codec *codec) {
  if (codec->reader) codec->format->close(codec->reader);
  free(codec->reader);
  free(codec->ahead);
  free(codec->window);
  free(codec);
}

lqip_failure lqip_codec_failure(const lqip_codec *codec) {
  return (lqip_failure){codec->status, codec->error_number, codec->message};
}

const char *lqip_codec_warning(const lqip_codec *codec, int index) {
  return index < codec->stored_warnings ? codec->warnings[index] : NULL;
}

uint32_t lqip_codec_frame_count(const lqip_codec *codec) { return codec->frame_count; }

lqip_extent lqip_codec_extent(const lqip_codec *codec) {
  if (codec->is_incomplete) return LQIP_INCOMPLETE;
  return codec->leaves_rest ? LQIP_UNREAD : LQIP_COMPLETE;
}

lqip_color lqip_codec_color(const lqip_codec *codec) { return codec->color; }

lqip_bytes lqip_codec_exif(const lqip_codec *codec) { return codec->exif; }

// Failures and warnings

static void set_reason(lqip_codec *codec, lqip_status status, const char *message) {
  codec->status = status;
  snprintf(codec->message, sizeof codec->message, "%s", message);
}

static lqip_status status_of_damage(const lqip_codec *codec) {
  return codec->at_end ? LQIP_TRUNCATED : LQIP_CORRUPT;
}

void codec_fail(lqip_codec *codec, lqip_status status, const char *message) {
  set_reason(codec, status, message);
  longjmp(*codec->failed, 1);
}

void codec_fail_damaged(lqip_codec *codec, const char *message) {
  codec_fail(codec, status_of_damage(codec), message);
}

void codec_fail_out_of_memory(lqip_codec *codec) {
  codec_fail(codec, LQIP_OUT_OF_MEMORY, "out of memory");
}

void *codec_allocate(lqip_codec *codec, void *memory, size_t size) {
  void *allocated = realloc(memory, size);
  if (!allocated) codec_fail_out_of_memory(codec);
  return allocated;
}

/// Stores a warning unless it is a duplicate or `maximum` warnings are already stored.
static void store_warning(lqip_codec *codec, const char *message, int maximum) {
  if (++codec->seen_warnings > codec->limits.max_warnings)
    codec_fail_damaged(codec, "too many warnings");
  if (codec->stored_warnings >= maximum) return;
  char *stored = codec->warnings[codec->stored_warnings];
  snprintf(stored, MESSAGE_SIZE, "%s", message);
  for (int i = 0; i < codec->stored_warnings; i++)
    if (strcmp(codec->warnings[i], stored) == 0) return;
  codec->stored_warnings++;
}

void codec_warn(lqip_codec *codec, const char *message) {
  store_warning(codec, message, MAX_STORED_WARNINGS);
}

void codec_damage(lqip_codec *codec, const char *message) {
  set_reason(codec, status_of_damage(codec), message);
  if (!codec->limits.lenient) longjmp(*codec->failed, 1);
  codec->is_incomplete = true;
  char marked[MESSAGE_SIZE];
  snprintf(marked, sizeof marked, "%s: %s", codec->at_end ? "truncated" : "damaged", message);
  store_warning(codec, marked, MAX_STORED_WARNINGS + MAX_STORED_DAMAGE);
}

// Limits

bool codec_count_frame(lqip_codec *codec) {
  if (codec->frame_count < MAX_FRAMES) codec->frame_count++;
  return codec->frame_count < MAX_FRAMES || codec->limits.verifies;
}

void codec_check_size(lqip_codec *codec, uint32_t width, uint32_t height) {
  if ((uint64_t)width * height <= codec->max_pixels) return;
  char message[MESSAGE_SIZE];
  snprintf(
      message, sizeof message, "%ux%u pixels, above the limit of %llu", width, height,
      (unsigned long long)codec->max_pixels);
  codec_fail(codec, LQIP_TOO_LARGE, message);
}

int codec_scale(uint32_t width, uint32_t height, int largest) {
  const uint32_t side = width < height ? width : height;
  int scale = largest;
  while (scale > 1 && (side + (uint32_t)scale - 1) / (uint32_t)scale < MIN_SHORT_SIDE) scale /= 2;
  return scale;
}

// Palettes

static inline uint8_t index_of(const uint8_t *row, uint32_t x, uint32_t depth) {
  const uint32_t bit = x * depth, mask = (1u << depth) - 1;
  return (uint8_t)((uint32_t)row[bit / 8] >> (8 - depth - bit % 8) & mask);
}

static inline __attribute__((always_inline)) void expand(
    const uint8_t (*colors)[4], const uint8_t *row, uint32_t width, uint32_t depth, size_t channels,
    uint8_t *samples) {
  const uint32_t last = width - 1;
  // Copies four bytes per pixel; if the fourth is not alpha, the next pixel overwrites it.
  for (uint32_t x = 0; x < last; x++)
    memcpy(samples + x * channels, colors[index_of(row, x, depth)], 4);
  memcpy(samples + last * channels, colors[index_of(row, last, depth)], channels);
}

void codec_expand_indices(
    const uint8_t (*colors)[4], const uint8_t *row, uint32_t width, uint32_t depth, size_t channels,
    uint8_t *samples) {
  // With constants, the compiler specializes the loop.
  if (depth == 8 && channels == 3)
    expand(colors, row, width, 8, 3, samples);
  else if (depth == 8)
    expand(colors, row, width, 8, 4, samples);
  else
    expand(colors, row, width, depth, channels, samples);
}

// Error numbers

const char *lqip_error_text(int number) {
  // strerror() is not thread-safe: all threads share its buffer.
  static _Thread_local char text[128];
  return strerror_r(number, text, sizeof text) == 0 ? text : "unknown system error";
}

void lqip_clear_allocation_error(void) { errno = 0; }

// Source: POSIX, malloc().
bool lqip_has_allocation_error(void) { return errno == ENOMEM; }

// Entry points

bool lqip_codec_peek(lqip_codec *codec, lqip_bytes *first) {
  if (setjmp(codec->entry)) return false;
  if (codec->available == 0) codec_fill(codec);
  *first = (lqip_bytes){codec->next, codec->available};
  return true;
}

/// The formats; null if the library was excluded from the build.
static const codec_format *const formats[LQIP_GIF + 1] = {
    [LQIP_JPEG] = &jpeg_format,
    [LQIP_PNG] = &png_format,
#ifdef HAS_WEBP
    [LQIP_WEBP] = &webp_format,
#endif
#ifdef HAS_GIF
    [LQIP_GIF] = &gif_format,
#endif
};

const lqip_header *lqip_codec_open(lqip_codec *codec, lqip_format format) {
  if (setjmp(codec->entry)) return NULL;
  codec->format = formats[format];
  if (!codec->format)
    codec_fail(
        codec, LQIP_UNSUPPORTED,
        format == LQIP_WEBP ? "built without libwebp" : "built without giflib");
  codec->max_pixels = codec->limits.max_pixels[format];
  codec->reader = calloc(1, codec->format->size);
  if (!codec->reader) codec_fail_out_of_memory(codec);
  lqip_header *header = &codec->header;
  codec->format->open(codec);
  if (header->scale == 0) {
    header->scale = 1;
    header->decoded_width = header->width;
    header->decoded_height = header->height;
  }
  return header;
}

/// Turns the last failure into a warning in a lenient decode, so that the rows before the damage are returned.
///
/// Returns false if the decode is not lenient, if the failure is not damage, or if it is not the first failure.
static bool recover(lqip_codec *codec) {
  if (!codec->limits.lenient || codec->had_failure) return false;
  codec->had_failure = true;
  if (codec->status != LQIP_TRUNCATED && codec->status != LQIP_CORRUPT) return false;
  char message[MESSAGE_SIZE];
  snprintf(message, sizeof message, "%s", codec->message);
  codec_damage(codec, message);
  return true;
}

bool lqip_codec_read_row(
    lqip_codec *codec, uint8_t *samples, lqip_row *row, bool *has_row) {
  *has_row = false;
  if (setjmp(codec->entry)) return codec->format->recovers && recover(codec);
  *has_row = codec->format->read_row(codec, samples, row);
  return true;
}
