#include "png_rows.h"

#ifdef HAS_ISAL

#include <isa-l/crc.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
// The compiler's builtin links a constructor that calls CPUID, which takes microseconds in a virtual machine.
#define HAS_AVX CPU_FEATURE_ACTIVE(AVX)
#else
#define HAS_AVX __builtin_cpu_supports("avx")
#endif

enum {
  CHUNK_TYPE_SIZE = 4,
  /// The size in bytes of the buffer for inflated bytes that are not consumed yet, in addition to two requests.
  BUFFER_SIZE = 1 << 17,
  LARGEST_WINDOW = 7,
  /// The number of compressed bytes tolerated in addition to 9/8 of the number of inflated bytes.
  MAX_EXCESS = 1 << 12,
};

bool png_inflater_init(
    png_inflater *inflater, lqip_codec *codec, uint32_t first_chunk_size, uint64_t count,
    size_t max_request) {
  inflater->codec = codec;
  inflater->chunk_left = first_chunk_size;
  inflater->checksum = crc32_gzip_refl(0, (const uint8_t *)"IDAT", CHUNK_TYPE_SIZE);
  inflater->to_inflate = count;
  inflater->capacity = BUFFER_SIZE + 2 * max_request;
  if (inflater->capacity > count) inflater->capacity = (size_t)count;
  inflater->inflated = calloc(1, inflater->capacity + PNG_ROW_PADDING);
  // Not cleared: most of its 80 KB is a buffer.
  inflater->state = malloc(sizeof *inflater->state);
  if (!inflater->inflated || !inflater->state) return false;
  isal_inflate_init(inflater->state);
  inflater->state->crc_flag = ISAL_ZLIB;
  return true;
}

void png_inflater_free(png_inflater *inflater) {
  free(inflater->inflated);
  free(inflater->state);
}

/// Verifies the checksum of a chunk, and reads the header of the next one, which must contain image data, too.
static bool begin_next_chunk(png_inflater *inflater) {
  enum { SIZE = 4, NAME = 8, END = 12 };
  uint8_t bytes[END];
  if (codec_read(inflater->codec, bytes, sizeof bytes) < sizeof bytes) return false;
  if (png_get_uint_32(bytes) != inflater->checksum) return false;
  if (memcmp(bytes + NAME, "IDAT", CHUNK_TYPE_SIZE) != 0) return false;
  inflater->chunk_left = png_get_uint_32(bytes + SIZE);
  inflater->checksum = crc32_gzip_refl(0, bytes + NAME, CHUNK_TYPE_SIZE);
  return inflater->chunk_left <= PNG_UINT_31_MAX;
}

/// Returns whether libpng accepts the window in this zlib header: 32 KiB, or enough for the complete image.
static bool has_accepted_window(const png_inflater *inflater, uint8_t first_byte) {
  const int window = first_byte >> 4;
  return window == LARGEST_WINDOW ||
         (window < LARGEST_WINDOW && inflater->to_inflate <= 256u << window);
}

/// Passes more bytes to ISA-L, which has none left; returns false if libpng must decode the image.
static bool feed(png_inflater *inflater) {
  struct inflate_state *state = inflater->state;
  lqip_codec *codec = inflater->codec;
  while (inflater->chunk_left == 0)
    if (!begin_next_chunk(inflater)) return false;
  if (codec->available == 0 && !codec_fill(codec)) return false;
  const uint32_t count =
      codec->available < inflater->chunk_left ? (uint32_t)codec->available : inflater->chunk_left;
  if (!inflater->has_started && !has_accepted_window(inflater, *codec->next)) return false;
  inflater->has_started = true;
  state->next_in = (uint8_t *)codec->next;
  state->avail_in = count;
  inflater->checksum = crc32_gzip_refl(inflater->checksum, codec->next, count);
  inflater->chunk_left -= count;
  codec->next += count;
  codec->available -= count;
  return true;
}

#ifdef __x86_64__
__attribute__((target("avx"))) static void clear_wide_registers(void) { __builtin_ia32_vzeroupper(); }

/// Clears the upper halves of the vector registers, which ISA-L leaves in use. Otherwise, later SSE code is slower:
/// filters take twice as long.
static void clear_upper_registers(void) {
  if (HAS_AVX) clear_wide_registers();
}
#else
static void clear_upper_registers(void) {}
#endif

/// Returns whether the compressed data is much longer than the inflated data, for example because of empty blocks.
///
/// For each block, ISA-L copies 20 KB of tables; zlib copies none.
static bool is_bloated(const png_inflater *inflater) {
  return inflater->consumed > inflater->produced + inflater->produced / 8 + MAX_EXCESS;
}

/// Inflates up to `room` bytes, and stores their number in `count`, which can be 0.
///
/// Returns false if libpng must decode the image.
static bool inflate_some(png_inflater *inflater, uint8_t *bytes, size_t room, size_t *count) {
  struct inflate_state *state = inflater->state;
  // A few bytes of input can take a second to inflate.
  codec_check_deadline(inflater->codec);
  for (;;) {
    // The bytes already read can contain the end of the data, so they are inflated before more are requested.
    const uint32_t available = state->avail_in;
    state->next_out = bytes;
    state->avail_out = (uint32_t)room;
    const int result = inflater->has_started ? isal_inflate(state) : ISAL_END_INPUT;
    clear_upper_registers();
    if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT) return false;
    *count = room - state->avail_out;
    inflater->consumed += available - state->avail_in;
    inflater->produced += *count;
    if (is_bloated(inflater)) return false;
    if (*count > 0 || state->avail_in < available) return true;
    if (state->block_state == ISAL_BLOCK_FINISH) return true;
    if (available > 0 || !feed(inflater)) return false;
  }
}

bool png_inflater_provide(png_inflater *inflater, size_t count) {
  if (inflater->end - inflater->start >= count) return true;
  uint8_t *bytes = inflater->inflated;
  memmove(bytes, bytes + inflater->start, inflater->end - inflater->start);
  inflater->end -= inflater->start;
  inflater->start = 0;
  while (inflater->end < count) {
    size_t room = inflater->capacity - inflater->end;
    if (room > inflater->to_inflate) room = (size_t)inflater->to_inflate;
    size_t more;
    if (!inflate_some(inflater, bytes + inflater->end, room, &more)) return false;
    if (more == 0 && inflater->state->block_state == ISAL_BLOCK_FINISH) return false;
    inflater->end += more;
    inflater->to_inflate -= more;
  }
  return true;
}

bool png_inflater_finish(png_inflater *inflater) {
  struct inflate_state *state = inflater->state;
  while (state->block_state != ISAL_BLOCK_FINISH) {
    size_t excess;
    if (!inflate_some(inflater, inflater->inflated, inflater->capacity, &excess)) return false;
    if (excess > 0) return false;
  }
  // Complete bytes in the inflater's bit buffer are trailing data, too.
  if (state->avail_in > 0 || state->read_in_length >= 8 || inflater->chunk_left > 0) return false;
  uint8_t checksum[sizeof inflater->checksum];
  return codec_read(inflater->codec, checksum, sizeof checksum) == sizeof checksum &&
         png_get_uint_32(checksum) == inflater->checksum;
}

#endif
