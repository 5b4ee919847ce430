// The bits and Huffman codes of a scan. Source: ITU-T T.81, annexes B, C and F.

#pragma once

#include <string.h>

#include "jpeg_reader.h"

#pragma clang assume_nonnull begin

enum {
  TEM = 0x01,
  DHT = 0xC4,
  SOS = 0xDA,
  DRI = 0xDD,
  /// The number of bits with which a code is looked up. Longer codes are rare.
  WINDOW_BITS = 11,
  /// The number of bits with which a DC coefficient is looked up, together with its code.
  NUMBER_BITS = 9,
  MAX_CODE_LENGTH = 16,
  /// The maximum number of bytes of an MCU: ten blocks of 64 codes with at most 31 bits each, and a bit buffer.
  MAX_MCU_SIZE = 10 * DCTSIZE2 * 31 / 8 + 8,
  BIT_BUFFER_SIZE = 1 << 13,
};

/// The bytes in libjpeg's buffer, followed by bytes read ahead.
typedef struct {
  lqip_codec *codec;
  /// The bytes in memory that are not parsed yet.
  lqip_bytes bytes;
  /// The number of bytes read ahead.
  size_t ahead;
} jpeg_lookahead;

typedef struct {
  /// The next bits, from the most significant one. The first `count` bits are valid; the others are zero or valid.
  uint64_t bits;
  int count;
  /// The bytes after the valid bits.
  const uint8_t *next;
} jpeg_cursor;

/// The data of a scan up to the next marker, without stuffed zeros.
typedef struct {
  jpeg_lookahead input;
  jpeg_cursor cursor;
  /// The end of the loaded bytes. If the data has ended, zeros follow.
  const uint8_t *end;
  /// Whether `input` is after the first byte of a marker, or at the end of the data.
  bool has_ended;
  uint8_t bytes[BIT_BUFFER_SIZE + MAX_MCU_SIZE + sizeof(uint64_t)];
} jpeg_bits;

/// A number, and how many bits its code and itself have; 0 if they have more than `NUMBER_BITS`.
typedef struct {
  int16_t value;
  uint16_t bits;
} jpeg_number;

typedef struct {
  /// For each value of the next bits, the length and the symbol of the code; 0 if the code is longer or does not exist.
  uint16_t window[1 << WINDOW_BITS];
  /// For a DC table, the number that the next bits encode.
  jpeg_number numbers[1 << NUMBER_BITS];
  /// For each length, the first value of 16 bits whose code is longer, and the index of a symbol minus its code.
  uint32_t limits[MAX_CODE_LENGTH + 1];
  int offsets[MAX_CODE_LENGTH + 1];
  uint8_t symbols[256];
} jpeg_huffman;

/// Reads ahead if there are no bytes in memory; returns false at the end of the data or beyond the memory limit.
bool jpeg_has_more(jpeg_lookahead *input);

/// Returns the next byte; 0 at the end of the data.
uint8_t jpeg_read_byte(jpeg_lookahead *input);

void jpeg_skip(jpeg_lookahead *input, size_t count);

/// Reads the size of a segment, without the size itself.
size_t jpeg_read_segment_size(jpeg_lookahead *input);

/// Skips to the next marker that is no restart marker, and returns its code; 0 at the end of the data.
uint8_t jpeg_next_marker(jpeg_bits *bits);

/// Begins with the data of a scan.
void jpeg_start_bits(jpeg_bits *bits);

/// Loads bytes until the buffer is full or the data ends.
void jpeg_load_bytes(jpeg_bits *bits);

/// Continues after a restart marker; returns false if another marker or more data follows.
bool jpeg_restart(jpeg_bits *bits, unsigned number);

/// Returns false if the lengths are invalid, or a DC symbol is larger than libjpeg allows.
bool jpeg_make_huffman(const JHUFF_TBL *_Nullable table, bool is_dc, jpeg_huffman *huffman);

/// Returns the length and the symbol of a code that is longer than the window, or -1 if it does not exist.
///
/// A cursor whose address is not passed to a function stays in registers.
int jpeg_long_code(uint64_t bits, const jpeg_huffman *huffman);

/// Returns the number of unread bits before the end of the data; negative if more were read.
static inline ptrdiff_t jpeg_bits_left(const jpeg_bits *bits, jpeg_cursor cursor) {
  return (bits->end - cursor.next) * 8 + cursor.count;
}

/// Makes at least 56 bits valid.
static inline void jpeg_refill(jpeg_cursor *cursor) {
  const uint8_t *next = cursor->next;
  const uint64_t word = (uint64_t)next[0] << 56 | (uint64_t)next[1] << 48 |
                        (uint64_t)next[2] << 40 | (uint64_t)next[3] << 32 |
                        (uint64_t)next[4] << 24 | (uint64_t)next[5] << 16 |
                        (uint64_t)next[6] << 8 | (uint64_t)next[7];
  cursor->bits |= word >> cursor->count;
  cursor->next += (63 - cursor->count) >> 3;
  cursor->count |= 56;
}

static inline void jpeg_consume(jpeg_cursor *cursor, int count) {
  cursor->bits <<= count;
  cursor->count -= count;
}

/// Returns the next bits, from 0 to 16 of them.
static inline int jpeg_take(jpeg_cursor *cursor, int count) {
  const int value = (int)(cursor->bits >> 32 >> (32 - count));
  jpeg_consume(cursor, count);
  return value;
}

/// Returns the signed number that these bits encode. Source: ITU-T T.81, figure F.12.
static inline int jpeg_extended(int value, int count) {
  return count > 0 && value < 1 << (count - 1) ? value - (1 << count) + 1 : value;
}

/// Returns the next symbol; -1 if there is no such code.
static inline int jpeg_symbol(jpeg_cursor *cursor, const jpeg_huffman *huffman) {
  int entry = huffman->window[cursor->bits >> (64 - WINDOW_BITS)];
  if (entry == 0) entry = jpeg_long_code(cursor->bits, huffman);
  if (entry < 0) return -1;
  jpeg_consume(cursor, entry >> 8);
  return entry & 0xFF;
}

#pragma clang assume_nonnull end
