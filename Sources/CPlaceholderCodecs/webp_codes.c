// Counts the groups of prefix codes in lossless data before libwebp allocates their tables.
//
// A group takes 20 bits of the file and at least 11.8 KB of tables. The number of groups is one more than the largest
// index in the entropy image, which comes after the images of the transforms. This parser reads all of these images but
// stores no pixels, because a copy or a cached color only repeats an earlier pixel.
//
// Source: RFC 9649, section 3.

#ifdef HAS_WEBP

#include <stdio.h>
#include <string.h>

#include "webp.h"

enum {
  LITERALS = 256,
  COPY_LENGTHS = 24,
  DISTANCES = 40,
  LENGTH_SYMBOLS = 19,
  MAX_CACHE_BITS = 11,
  MAX_LENGTH = 15,
  MAX_SYMBOLS = LITERALS + COPY_LENGTHS + (1 << MAX_CACHE_BITS),
  STEPS_PER_DEADLINE_CHECK = 1 << 16,
  /// The maximum number of groups of prefix codes. libwebp's encoder writes at most 2,600.
  MAX_GROUPS = 3072,
  /// The size in bytes of a group, and of its table without cached colors, in libwebp 1.2.4.
  GROUP_SIZE = 568,
  TABLE_SIZE = 4 * (630 * 3 + 410 + 656),
};

enum { GREEN, RED, BLUE, ALPHA, DISTANCE, CODES };

typedef struct {
  lqip_codec *codec;
  const uint8_t *bytes;
  size_t count;
  /// The index of the next bit; past the end if the data was too short.
  uint64_t position;
} bit_reader;

/// A prefix code: its symbols in the order of their codes, and the number of codes of each length.
typedef struct {
  uint16_t counts[MAX_LENGTH + 1];
  uint16_t symbols[MAX_SYMBOLS];
} prefix_code;

typedef struct {
  uint32_t width, height;
} image_size;

/// Returns the next 32 bits without consuming them, with zeros after the end of the data.
static uint32_t peek_bits(const bit_reader *in) {
  const size_t first = (size_t)(in->position >> 3);
  uint64_t bits = 0;
  for (size_t i = 0; i < 5 && first + i < in->count; i++)
    bits |= (uint64_t)in->bytes[first + i] << (8 * i);
  return (uint32_t)(bits >> (in->position & 7));
}

static uint32_t read_bits(bit_reader *in, uint32_t count) {
  const uint32_t bits = peek_bits(in) & ((1u << count) - 1);
  in->position += count;
  return bits;
}

static bool is_exhausted(const bit_reader *in) { return in->position > (uint64_t)in->count * 8; }

/// Builds a code; returns false unless it is complete or has a single symbol, which takes no bits.
static bool build_code(prefix_code *code, const uint8_t *lengths, uint32_t count) {
  uint16_t first[MAX_LENGTH + 2] = {0};
  memset(code->counts, 0, sizeof code->counts);
  for (uint32_t i = 0; i < count; i++) code->counts[lengths[i]]++;
  code->counts[0] = 0;
  int32_t left = 1;
  for (int length = 1; length <= MAX_LENGTH; length++) {
    left = left * 2 - code->counts[length];
    if (left < 0) return false;
    first[length + 1] = first[length] + code->counts[length];
  }
  const uint32_t used = first[MAX_LENGTH + 1];
  for (uint32_t i = 0; i < count; i++)
    if (lengths[i] > 0) code->symbols[first[lengths[i]]++] = (uint16_t)i;
  if (used == 1) {
    memset(code->counts, 0, sizeof code->counts);
    code->counts[0] = 1;
  }
  return used == 1 || left == 0;
}

static uint32_t read_symbol(bit_reader *in, const prefix_code *code) {
  if (code->counts[0] == 1) return code->symbols[0];
  uint32_t bits = peek_bits(in), value = 0, first = 0, index = 0;
  for (uint32_t length = 1; length <= MAX_LENGTH; length++, bits >>= 1) {
    value |= bits & 1;
    const uint32_t count = code->counts[length];
    if (value - first < count) {
      in->position += length;
      return code->symbols[index + value - first];
    }
    index += count;
    first = (first + count) << 1;
    value <<= 1;
  }
  return 0;
}

/// Reads the lengths of a code, which are compressed with another code.
static bool read_lengths(bit_reader *in, uint8_t *lengths, uint32_t symbol_count) {
  static const uint8_t order[LENGTH_SYMBOLS] = {17, 18, 0, 1, 2,  3,  4,  5,  16, 6,
                                                7,  8,  9, 10, 11, 12, 13, 14, 15};
  uint8_t code_lengths[LENGTH_SYMBOLS] = {0};
  const uint32_t code_length_count = 4 + read_bits(in, 4);
  for (uint32_t i = 0; i < code_length_count; i++) code_lengths[order[i]] = (uint8_t)read_bits(in, 3);
  prefix_code code;
  if (!build_code(&code, code_lengths, LENGTH_SYMBOLS)) return false;
  uint32_t most = symbol_count;
  if (read_bits(in, 1)) most = 2 + read_bits(in, 2 + 2 * read_bits(in, 3));
  if (most > symbol_count) return false;
  uint8_t previous = 8;
  for (uint32_t symbol = 0; symbol < symbol_count && most > 0; most--) {
    const uint8_t length = (uint8_t)read_symbol(in, &code);
    uint32_t repeat = 1;
    if (length == 16) repeat = 3 + read_bits(in, 2);
    if (length == 17) repeat = 3 + read_bits(in, 3);
    if (length == 18) repeat = 11 + read_bits(in, 7);
    if (repeat > symbol_count - symbol) return false;
    if (length > 0 && length < 16) previous = length;
    memset(lengths + symbol, length <= 16 ? (length == 16 ? previous : length) : 0, repeat);
    symbol += repeat;
  }
  return true;
}

static bool read_code(bit_reader *in, prefix_code *code, uint32_t symbol_count) {
  uint8_t lengths[MAX_SYMBOLS] = {0};
  if (read_bits(in, 1)) {
    const bool has_two = read_bits(in, 1);
    lengths[read_bits(in, read_bits(in, 1) ? 8 : 1)] = 1;
    if (has_two) lengths[read_bits(in, 8)] = 1;
  } else if (!read_lengths(in, lengths, symbol_count)) {
    return false;
  }
  return build_code(code, lengths, symbol_count);
}

/// Reads the binary logarithm of the size of the color cache, or 0 without a cache; returns false if it is invalid.
static bool read_cache_bits(bit_reader *in, uint32_t *bits) {
  *bits = 0;
  if (!read_bits(in, 1)) return true;
  *bits = read_bits(in, 4);
  return *bits >= 1 && *bits <= MAX_CACHE_BITS;
}

/// Reads the length or the distance of a copy.
static uint32_t read_number(bit_reader *in, uint32_t symbol) {
  if (symbol < 4) return symbol + 1;
  const uint32_t extra = (symbol - 2) >> 1;
  return ((2 + (symbol & 1)) << extra) + read_bits(in, extra) + 1;
}

/// Parses the pixels of an image, and finds the largest group index. A pixel's index consists of its red and green
/// samples.
static bool parse_pixels(
    bit_reader *in, const prefix_code codes[CODES], uint64_t left, uint32_t *_Nullable largest) {
  for (uint64_t steps = 0; left > 0; steps++) {
    if (is_exhausted(in)) return false;
    if (steps % STEPS_PER_DEADLINE_CHECK == 0) codec_check_deadline(in->codec);
    const uint64_t start = in->position;
    const uint32_t green = read_symbol(in, &codes[GREEN]);
    uint64_t count = 1;
    if (green < LITERALS) {
      const uint32_t number = read_symbol(in, &codes[RED]) << 8 | green;
      if (largest && number > *largest) *largest = number;
      read_symbol(in, &codes[BLUE]);
      read_symbol(in, &codes[ALPHA]);
    } else if (green < LITERALS + COPY_LENGTHS) {
      count = read_number(in, green - LITERALS);
      read_number(in, read_symbol(in, &codes[DISTANCE]));
    }
    if (count > left) return false;
    // A pixel that takes no bits: all remaining pixels are equal to it.
    if (in->position == start) return true;
    left -= count;
  }
  return !is_exhausted(in);
}

/// Parses an image without transforms.
static bool parse_image(bit_reader *in, image_size size, uint32_t *_Nullable largest) {
  static const uint16_t symbols[CODES] = {
      LITERALS + COPY_LENGTHS, LITERALS, LITERALS, LITERALS, DISTANCES};
  uint32_t cache_bits;
  prefix_code codes[CODES];
  if (!read_cache_bits(in, &cache_bits)) return false;
  const uint32_t cached = cache_bits > 0 ? 1u << cache_bits : 0;
  for (int i = 0; i < CODES; i++)
    if (!read_code(in, &codes[i], symbols[i] + (i == GREEN ? cached : 0))) return false;
  return parse_pixels(in, codes, (uint64_t)size.width * size.height, largest);
}

static uint32_t divided(uint32_t side, uint32_t bits) { return (side + (1u << bits) - 1) >> bits; }

/// Parses an image whose pixels describe blocks of another image.
static bool parse_blocks(bit_reader *in, image_size size, uint32_t *_Nullable largest) {
  const uint32_t bits = 2 + read_bits(in, 3);
  return parse_image(
      in, (image_size){divided(size.width, bits), divided(size.height, bits)}, largest);
}

static bool parse_transforms(bit_reader *in, image_size *size) {
  enum { PREDICTOR, COLOR, SUBTRACT_GREEN, COLOR_INDEXING };
  for (uint32_t seen = 0; read_bits(in, 1);) {
    const uint32_t type = read_bits(in, 2);
    if (seen >> type & 1) return false;
    seen |= 1u << type;
    if (type == COLOR_INDEXING) {
      const uint32_t colors = read_bits(in, 8) + 1;
      if (!parse_image(in, (image_size){colors, 1}, NULL)) return false;
      size->width = divided(size->width, colors > 16 ? 0 : colors > 4 ? 1 : colors > 2 ? 2 : 3);
    } else if (type != SUBTRACT_GREEN && !parse_blocks(in, *size, NULL)) {
      return false;
    }
  }
  return true;
}

/// Computes the memory in bytes for the tables of the prefix codes; returns false if the data is invalid or too short.
static bool measure(bit_reader *in, image_size size, uint64_t *memory) {
  uint32_t cache_bits, largest = 0;
  if (!parse_transforms(in, &size) || !read_cache_bits(in, &cache_bits)) return false;
  if (read_bits(in, 1) && !parse_blocks(in, size, &largest)) return false;
  if (is_exhausted(in)) return false;
  if (largest >= MAX_GROUPS) {
    char message[MESSAGE_SIZE];
    snprintf(
        message, sizeof message, "%u groups of prefix codes, above the limit of %u", largest + 1,
        MAX_GROUPS);
    codec_fail(in->codec, LQIP_TOO_LARGE, message);
  }
  *memory = (largest + 1) * (uint64_t)(GROUP_SIZE + TABLE_SIZE + (4u << cache_bits));
  return true;
}

/// Computes the memory in bytes for the tables of a lossless image, reading only as much of its data as necessary.
static uint64_t measure_image(webp_reader *reader, image_size size) {
  lqip_codec *codec = reader->codec;
  for (;;) {
    const size_t count = reader->size - reader->image_start;
    const uint64_t position = (uint64_t)LOSSLESS_HEADER_SIZE * 8;
    bit_reader in = {codec, reader->data + reader->image_start, count, position};
    uint64_t memory;
    if (measure(&in, size, &memory)) return memory;
    if (!is_exhausted(&in)) codec_fail(codec, LQIP_CORRUPT, "invalid image data");
    webp_read_more(reader, count);
  }
}

uint64_t webp_table_memory(webp_reader *reader) {
  enum { COMPRESSION = 3, LOSSLESS = 1 };
  const image_size size = {reader->frame.width, reader->frame.height};
  if (reader->is_lossless) return measure_image(reader, size);
  const uint8_t *alpha = reader->data + reader->alpha_start;
  if (reader->alpha_size == 0 || (*alpha & COMPRESSION) != LOSSLESS) return 0;
  bit_reader in = {reader->codec, alpha + 1, reader->alpha_size - 1, 0};
  uint64_t memory;
  if (!measure(&in, size, &memory)) codec_fail(reader->codec, LQIP_CORRUPT, "invalid alpha data");
  return memory;
}

#endif
