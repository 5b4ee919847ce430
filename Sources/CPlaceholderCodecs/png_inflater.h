#ifndef PNG_INFLATER_H
#define PNG_INFLATER_H

#include "codec.h"

#ifdef HAS_ISAL

#include <isa-l/igzip_lib.h>

#pragma clang assume_nonnull begin

/// Inflates the IDAT chunks of a PNG image, and checks them as libpng does, faster than zlib.
///
/// Unlike zlib, ISA-L accepts an incomplete Huffman code, as long as the data uses none of its unassigned codes.
typedef struct {
  lqip_codec *codec;
  struct inflate_state *_Nullable state;
  bool is_begun;

  /// Of the current chunk.
  uint32_t chunk_left;
  uint32_t checksum;

  /// What was read, and what came of it.
  uint64_t consumed, produced;

  /// Bytes of the image that are not yet inflated, and those that are and wait, as `start..<end`.
  uint64_t to_inflate;
  uint8_t *_Nullable inflated;
  size_t capacity, start, end;
} png_inflater;

/// Takes over at the first byte of the first chunk's data.
///
/// - count: What the image has in all.
/// - most: What is wanted at a time.
/// - padding: What may be read beyond it.
///
/// False where there is no memory.
bool png_inflater_init(
    png_inflater *inflater, lqip_codec *codec, uint32_t first_chunk_size, uint64_t count,
    size_t most, size_t padding);

void png_inflater_free(png_inflater *inflater);

/// Makes some bytes available. False for anything unusual.
bool png_inflater_provide(png_inflater *inflater, size_t count);

/// Whether the data ends with the image, and its checksums are right.
bool png_inflater_finish(png_inflater *inflater);

#pragma clang assume_nonnull end

#endif
#endif
