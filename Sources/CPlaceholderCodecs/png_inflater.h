#ifndef PNG_INFLATER_H
#define PNG_INFLATER_H

#include "codec.h"

#ifdef HAS_ISAL

#include <isa-l/igzip_lib.h>

#pragma clang assume_nonnull begin

/// An inflater of the IDAT chunks of a PNG image, based on ISA-L and faster than zlib.
///
/// It makes the same checks as libpng, with one exception: unlike zlib, ISA-L accepts an incomplete Huffman code if the
/// data uses none of its unassigned codes.
typedef struct {
  lqip_codec *codec;
  struct inflate_state *_Nullable state;
  bool has_started;

  /// The number of unread bytes in the current chunk, and the checksum of the bytes read so far.
  uint32_t chunk_left;
  uint32_t checksum;

  /// The numbers of compressed bytes consumed and of inflated bytes produced.
  uint64_t consumed, produced;

  /// The number of bytes left to inflate, and the inflated bytes that are not consumed yet, in `start..<end`.
  uint64_t to_inflate;
  uint8_t *_Nullable inflated;
  size_t capacity, start, end;
} png_inflater;

/// Initializes an inflater at the first byte of the first chunk's data; returns false if an allocation fails.
///
/// - count: The size of the inflated image in bytes.
/// - max_request: The maximum number of bytes requested at a time.
/// - padding: The number of bytes that may be read past the requested ones.
bool png_inflater_init(
    png_inflater *inflater, lqip_codec *codec, uint32_t first_chunk_size, uint64_t count,
    size_t max_request, size_t padding);

void png_inflater_free(png_inflater *inflater);

/// Makes at least `count` bytes available; returns false if libpng must decode the image.
bool png_inflater_provide(png_inflater *inflater, size_t count);

/// Reads to the end of the data; returns false unless it ends with the image and the checksums are correct.
bool png_inflater_finish(png_inflater *inflater);

#pragma clang assume_nonnull end

#endif
#endif
