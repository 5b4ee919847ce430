#include "jpeg_bits.h"

// Input

bool jpeg_has_more(jpeg_lookahead *input) {
  if (input->bytes.count > 0) return true;
  if (input->ahead >= input->codec->limits.max_memory) return false;
  input->bytes = codec_look_ahead(input->codec, input->ahead);
  input->ahead += input->bytes.count;
  return input->bytes.count > 0;
}

static void advance(jpeg_lookahead *input, size_t count) {
  input->bytes.bytes += count;
  input->bytes.count -= count;
}

uint8_t jpeg_read_byte(jpeg_lookahead *input) {
  if (!jpeg_has_more(input)) return 0;
  const uint8_t byte = *input->bytes.bytes;
  advance(input, 1);
  return byte;
}

void jpeg_skip(jpeg_lookahead *input, size_t count) {
  while (count > 0 && jpeg_has_more(input)) {
    const size_t piece = count < input->bytes.count ? count : input->bytes.count;
    advance(input, piece);
    count -= piece;
  }
}

size_t jpeg_read_segment_size(jpeg_lookahead *input) {
  const size_t high = jpeg_read_byte(input), size = high << 8 | jpeg_read_byte(input);
  return size < 2 ? 0 : size - 2;
}

/// Returns the number of bytes before the next 0xFF, at most `count`.
static size_t plain_count(const jpeg_lookahead *input, size_t count) {
  const size_t most = count < input->bytes.count ? count : input->bytes.count;
  const uint8_t *found = memchr(input->bytes.bytes, 0xFF, most);
  return found ? (size_t)(found - input->bytes.bytes) : most;
}

uint8_t jpeg_next_marker(jpeg_bits *bits) {
  jpeg_lookahead *input = &bits->input;
  bool is_after_ff = bits->has_ended;
  bits->has_ended = false;
  while (jpeg_has_more(input)) {
    if (!is_after_ff) {
      advance(input, plain_count(input, input->bytes.count));
      is_after_ff = jpeg_read_byte(input) == 0xFF;
      continue;
    }
    const uint8_t code = jpeg_read_byte(input);
    is_after_ff = code == 0xFF;
    const bool is_data = code <= TEM || (code >= JPEG_RST0 && code <= JPEG_RST0 + 7);
    if (!is_after_ff && !is_data) return code;
  }
  return 0;
}

// Bits

void jpeg_start_bits(jpeg_bits *bits) {
  bits->cursor = (jpeg_cursor){0, 0, bits->bytes};
  bits->end = bits->bytes;
  bits->has_ended = false;
}

void jpeg_load_bytes(jpeg_bits *bits) {
  jpeg_lookahead *input = &bits->input;
  const size_t held = (size_t)(bits->end - bits->cursor.next);
  memmove(bits->bytes, bits->cursor.next, held);
  uint8_t *end = bits->bytes + held, *const limit = bits->bytes + BIT_BUFFER_SIZE;
  while (end < limit && !bits->has_ended) {
    bits->has_ended = !jpeg_has_more(input);
    if (bits->has_ended) break;
    const size_t count = plain_count(input, (size_t)(limit - end));
    memcpy(end, input->bytes.bytes, count);
    advance(input, count);
    end += count;
    if (end == limit || input->bytes.count == 0) continue;
    // Here is 0xFF: a stuffed byte, or the first byte of a marker.
    advance(input, 1);
    if (jpeg_has_more(input) && *input->bytes.bytes == 0) {
      advance(input, 1);
      *end++ = 0xFF;
    } else {
      bits->has_ended = true;
    }
  }
  if (bits->has_ended) memset(end, 0, MAX_MCU_SIZE + sizeof(uint64_t));
  bits->cursor.next = bits->bytes;
  bits->end = end;
}

bool jpeg_restart(jpeg_bits *bits, unsigned number) {
  if (!bits->has_ended) jpeg_load_bytes(bits);
  const ptrdiff_t left = jpeg_bits_left(bits, bits->cursor);
  if (!bits->has_ended || left < 0 || left > 7) return false;
  if (jpeg_read_byte(&bits->input) != JPEG_RST0 + (number & 7)) return false;
  jpeg_start_bits(bits);
  return true;
}

// Huffman codes

bool jpeg_make_huffman(const JHUFF_TBL *table, bool is_dc, jpeg_huffman *huffman) {
  enum { unused = WINDOW_BITS - NUMBER_BITS };
  if (!table) return false;
  memset(huffman->window, 0, sizeof huffman->window);
  if (is_dc) memset(huffman->numbers, 0, sizeof huffman->numbers);
  memcpy(huffman->symbols, table->huffval, sizeof huffman->symbols);
  uint32_t code = 0;
  int index = 0;
  for (int length = 1; length <= MAX_CODE_LENGTH; length++, code <<= 1) {
    const int count = table->bits[length];
    if (index + count > 256) return false;
    huffman->offsets[length] = index - (int)code;
    for (const int end = index + count; index < end; index++, code++) {
      const uint8_t symbol = huffman->symbols[index];
      if (code >= (1u << length) - 1 || (is_dc && symbol > 15)) return false;
      if (length > WINDOW_BITS) continue;
      const int shift = WINDOW_BITS - length;
      for (uint32_t value = code << shift; value < (code + 1) << shift; value++) {
        huffman->window[value] = (uint16_t)(length << 8 | symbol);
        if (!is_dc || length + symbol > NUMBER_BITS || value % (1 << unused) != 0) continue;
        const int number = (int)(value >> (shift - symbol)) & ((1 << symbol) - 1);
        huffman->numbers[value >> unused] =
            (jpeg_number){(int16_t)jpeg_extended(number, symbol), (uint16_t)(length + symbol)};
      }
    }
    huffman->limits[length] = code << (MAX_CODE_LENGTH - length);
  }
  return true;
}

int jpeg_long_code(uint64_t bits, const jpeg_huffman *huffman) {
  const uint32_t value = (uint32_t)(bits >> (64 - MAX_CODE_LENGTH));
  for (int length = WINDOW_BITS + 1; length <= MAX_CODE_LENGTH; length++) {
    if (value >= huffman->limits[length]) continue;
    const int index = huffman->offsets[length] + (int)(value >> (MAX_CODE_LENGTH - length));
    return length << 8 | huffman->symbols[index];
  }
  return -1;
}
