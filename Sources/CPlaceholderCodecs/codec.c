#include "codec.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool has_deadline(const lqip_limits *limits) {
  return limits->max_cpu_time < UINT64_MAX || limits->max_wall_time < UINT64_MAX;
}

lqip_codec *lqip_codec_create_with_bytes(
    const uint8_t *bytes, size_t count, lqip_limits limits) {
  lqip_codec *codec = calloc(1, sizeof *codec);
  if (!codec) return NULL;
  codec->failed = &codec->entry;
  codec->limits = limits;
  codec->descriptor = -1;
  codec->memory = codec->memory_start = bytes;
  codec->memory_left = codec->memory_size = count;
  if (has_deadline(&limits)) {
    codec->cpu_start = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    codec->wall_start = nanoseconds(CLOCK_MONOTONIC);
  }
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
  char marked[MESSAGE_SIZE];
  snprintf(marked, sizeof marked, "%s: %s", codec->at_end ? "truncated" : "damaged", message);
  store_warning(codec, marked, MAX_STORED_WARNINGS + MAX_STORED_DAMAGE);
}

// Limits

bool codec_count_frame(lqip_codec *codec) {
  if (codec->frame_count < MAX_FRAMES) codec->frame_count++;
  return codec->frame_count < MAX_FRAMES || codec->limits.verifies;
}

void codec_check_deadline(lqip_codec *codec) {
  // A worker process runs without time limits here, because its parent enforces them.
  if (!has_deadline(&codec->limits)) return;
  const uint64_t now = nanoseconds(CLOCK_MONOTONIC);
  bool is_over = now - codec->wall_start >= codec->limits.max_wall_time;
  // Reading the CPU time takes a system call. The CPU time of a thread never exceeds its wall time, so one check per
  // millisecond is enough.
  if (now >= codec->next_cpu_check) {
    codec->next_cpu_check = now + 1000000;
    const uint64_t cpu_time = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - codec->cpu_start;
    is_over = is_over || cpu_time >= codec->limits.max_cpu_time;
  }
  if (is_over) codec_fail(codec, LQIP_TIMED_OUT, "the deadline passed");
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

// Input

_Noreturn static void fail_unreadable(lqip_codec *codec) {
  codec->error_number = errno;
  codec_fail(codec, LQIP_UNREADABLE, lqip_error_text(errno));
}

/// Waits until the descriptor is readable; fails at the deadline.
static void wait_for_bytes(lqip_codec *codec) {
  struct pollfd polled = {codec->descriptor, POLLIN, 0};
  for (;;) {
    codec_check_deadline(codec);
    const uint64_t waited = nanoseconds(CLOCK_MONOTONIC) - codec->wall_start;
    const uint64_t most = codec->limits.max_wall_time;
    // Rounded up, so that the deadline has passed when poll() times out.
    const uint64_t milliseconds = (waited < most ? most - waited : 0) / 1000000 + 1;
    const int result = poll(&polled, 1, milliseconds < INT_MAX ? (int)milliseconds : INT_MAX);
    if (result > 0) return;
    if (result < 0 && errno != EINTR) fail_unreadable(codec);
  }
}

/// Reads up to `count` bytes; returns 0 at the end of the data.
static size_t read_some(lqip_codec *codec, uint8_t *bytes, size_t count) {
  // Reading from a pipe or a socket can block.
  const bool may_wait = !codec->is_file && codec->limits.max_wall_time < UINT64_MAX;
  for (;;) {
    if (may_wait) wait_for_bytes(codec);
    const ssize_t result = codec->is_file
                               ? pread(codec->descriptor, bytes, count, codec->file_offset)
                               : read(codec->descriptor, bytes, count);
    if (result >= 0) {
      codec->file_offset += result;
      return (size_t)result;
    }
    if (errno == EAGAIN) {
      wait_for_bytes(codec);
    } else if (errno != EINTR) {
      fail_unreadable(codec);
    }
  }
}

/// Reads `count` bytes, or fewer at the end of the data; returns the number of bytes read.
static size_t read_fully(lqip_codec *codec, uint8_t *bytes, size_t count) {
  size_t total = 0, added;
  while (total < count && (added = read_some(codec, bytes + total, count - total)) > 0)
    total += added;
  return total;
}

/// Fills the complete window unless the data ends; a partial window could split a signature.
///
/// Returns the number of bytes in the window.
static size_t read_window(lqip_codec *codec) {
  codec->next = codec->window;
  return read_fully(codec, codec->window, WINDOW_SIZE);
}

/// Advances to the next window of the bytes in memory, and returns its size. `codec_fill` checks the deadline between
/// windows.
static size_t next_window(lqip_codec *codec) {
  size_t count = codec->memory_left < WINDOW_SIZE ? codec->memory_left : WINDOW_SIZE;
  codec->next = codec->memory;
  codec->memory += count;
  codec->memory_left -= count;
  return count;
}

bool codec_fill(lqip_codec *codec) {
  codec_check_deadline(codec);
  // Bytes read ahead come before the next read from the descriptor.
  const bool reads = codec->window && codec->memory_left == 0;
  codec->available = reads ? read_window(codec) : next_window(codec);
  codec->at_end = codec->available == 0;
  return !codec->at_end;
}

size_t codec_read(lqip_codec *codec, uint8_t *bytes, size_t count) {
  size_t consumed = 0;
  while (consumed < count) {
    if (codec->available == 0 && !codec_fill(codec)) break;
    const size_t piece = count - consumed < codec->available ? count - consumed : codec->available;
    if (bytes) memcpy(bytes + consumed, codec->next, piece);
    codec->next += piece;
    codec->available -= piece;
    consumed += piece;
  }
  return consumed;
}

uint64_t codec_remaining(const lqip_codec *codec) {
  if (!codec->window) return codec->memory_left;
  if (!codec->is_file) return UINT64_MAX;
  const off_t rest = codec->file_end - codec->file_offset;
  return rest > 0 ? (uint64_t)rest : 0;
}

/// The number of bytes that are read ahead at a time. If more of a file is left, they are read again for decoding.
enum { PIECE_SIZE = 1 << 18 };

/// Keeps the next `count` bytes, or fewer at the end of the data, until they are consumed.
static void keep_ahead(lqip_codec *codec, size_t count) {
  if (codec->memory_left > 0) memmove(codec->ahead, codec->memory, codec->memory_left);
  codec->memory = codec->ahead = codec_allocate(codec, codec->ahead, count);
  const uint64_t remaining = codec_remaining(codec);
  const size_t missing = count - codec->memory_left;
  codec->memory_left += read_fully(
      codec, codec->ahead + codec->memory_left, missing < remaining ? missing : (size_t)remaining);
}

/// Returns a piece of the file after the current window, from an offset on.
static lqip_bytes read_piece(lqip_codec *codec, size_t offset) {
  const uint64_t remaining = codec_remaining(codec);
  const uint64_t left = remaining < offset ? 0 : remaining - offset;
  const size_t count = left < PIECE_SIZE ? (size_t)left : PIECE_SIZE;
  codec->ahead = codec_allocate(codec, codec->ahead, PIECE_SIZE);
  const off_t start = codec->file_offset;
  codec->file_offset += (off_t)offset;
  const lqip_bytes piece = {codec->ahead, read_fully(codec, codec->ahead, count)};
  codec->file_offset = start;
  return piece;
}

lqip_bytes codec_look_ahead(lqip_codec *codec, size_t offset) {
  if (codec->window && codec->is_file && codec_remaining(codec) > PIECE_SIZE)
    return read_piece(codec, offset);
  if (codec->window && codec->memory_left <= offset)
    keep_ahead(codec, offset == 0 ? PIECE_SIZE : 2 * offset);
  if (offset >= codec->memory_left) return (lqip_bytes){0};
  return (lqip_bytes){codec->memory + offset, codec->memory_left - offset};
}

bool codec_can_rewind(const lqip_codec *codec) { return !codec->window || codec->is_file; }

void codec_rewind(lqip_codec *codec) {
  codec->memory = codec->memory_start;
  codec->memory_left = codec->memory_size;
  codec->file_offset = codec->file_start;
  codec->available = 0;
  codec->stored_warnings = codec->seen_warnings = 0;
  codec_fill(codec);
}

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
