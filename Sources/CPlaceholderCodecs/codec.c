#include "codec.h"

#include <errno.h>
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
  lqip_codec *codec = lqip_codec_create_with_bytes(NULL, 0, limits);
  if (!codec) return NULL;
  codec->descriptor = descriptor;
  codec->window = malloc(WINDOW_SIZE);
  if (codec->window) return codec;
  free(codec);
  return NULL;
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
  free(codec->ahead);
  free(codec->window);
  free(codec);
}

bool lqip_codec_peek(lqip_codec *codec, lqip_bytes *first) {
  if (setjmp(codec->failed)) return false;
  if (codec->available == 0) codec_fill(codec);
  *first = (lqip_bytes){codec->next, codec->available};
  return true;
}

lqip_status lqip_codec_status(const lqip_codec *codec) { return codec->status; }
const char *lqip_codec_message(const lqip_codec *codec) { return codec->message; }
int lqip_codec_errno(const lqip_codec *codec) { return codec->error_number; }
int lqip_codec_warning_count(const lqip_codec *codec) { return codec->stored_warnings; }

const char *lqip_codec_warning(const lqip_codec *codec, int index) {
  return codec->warnings[index];
}

static void set_reason(lqip_codec *codec, lqip_status status, const char *message) {
  codec->status = status;
  snprintf(codec->message, sizeof codec->message, "%s", message);
}

static lqip_status status_of_damage(const lqip_codec *codec) {
  return codec->at_end ? LQIP_TRUNCATED : LQIP_CORRUPT;
}

void codec_fail(lqip_codec *codec, lqip_status status, const char *message) {
  set_reason(codec, status, message);
  longjmp(codec->failed, 1);
}

void codec_fail_damaged(lqip_codec *codec, const char *message) {
  codec_fail(codec, status_of_damage(codec), message);
}

void codec_fail_unreadable(lqip_codec *codec) {
  codec->error_number = errno;
  codec_fail(codec, LQIP_UNREADABLE, lqip_error_text(errno));
}

bool codec_recover(lqip_codec *codec) {
  if (!codec->limits.lenient || codec->had_failure) return false;
  codec->had_failure = true;
  if (codec->status != LQIP_TRUNCATED && codec->status != LQIP_CORRUPT) return false;
  char message[MESSAGE_SIZE];
  snprintf(message, sizeof message, "%s", codec->message);
  codec_damage(codec, message);
  return true;
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
  if (!codec->limits.lenient) longjmp(codec->failed, 1);
  char marked[MESSAGE_SIZE];
  snprintf(marked, sizeof marked, "%s: %s", codec->at_end ? "truncated" : "damaged", message);
  store_warning(codec, marked, MAX_STORED_WARNINGS + MAX_STORED_DAMAGE);
}

bool codec_count_frame(const lqip_codec *codec, uint32_t *count) {
  if (*count < LQIP_MAX_FRAMES) ++*count;
  return *count < LQIP_MAX_FRAMES || codec->limits.verifies;
}

uint64_t codec_wall_time_left(const lqip_codec *codec) {
  const uint64_t waited = nanoseconds(CLOCK_MONOTONIC) - codec->wall_start;
  return waited < codec->limits.max_wall_time ? codec->limits.max_wall_time - waited : 0;
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

void codec_check_size(
    lqip_codec *codec, uint32_t width, uint32_t height, uint64_t max_pixels) {
  if ((uint64_t)width * height <= max_pixels) return;
  char message[MESSAGE_SIZE];
  snprintf(
      message, sizeof message, "%ux%u pixels, above the limit of %llu", width, height,
      (unsigned long long)max_pixels);
  codec_fail(codec, LQIP_TOO_LARGE, message);
}

const char *lqip_error_text(int number) {
  // strerror() is not thread-safe: all threads share its buffer.
  static _Thread_local char text[128];
  return strerror_r(number, text, sizeof text) == 0 ? text : "unknown system error";
}

void lqip_clear_allocation_error(void) { errno = 0; }

// Source: POSIX, malloc().
bool lqip_has_allocation_error(void) { return errno == ENOMEM; }
