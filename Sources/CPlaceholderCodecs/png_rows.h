// The faster path for the rows of common PNG images, with ISA-L instead of libpng.

#pragma once

#include <png.h>

#ifdef HAS_ISAL
#include <isa-l/igzip_lib.h>
#endif

#include "codec.h"

#pragma clang assume_nonnull begin

/// A reader of the rows of common PNG images, faster than libpng but with the same output.
///
/// It never reports damage. For damaged or unusual data, its functions fail, and libpng then decodes the image from the
/// start.
typedef struct png_rows png_rows;

/// Creates a reader at the first byte of the first IDAT chunk's data; returns null if libpng must decode the image.
png_rows *_Nullable png_rows_create(
    lqip_codec *codec, png_structp png, png_infop info, uint32_t first_chunk_size);

void png_rows_destroy(png_rows *_Nullable rows);

/// Reads the next row as 8-bit samples, with the palette applied; returns false if libpng must decode the image.
///
/// After the last row, it also reads to the end of the data and verifies the checksums.
bool png_rows_read(png_rows *rows, uint8_t *samples);

#ifdef HAS_ISAL

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
bool png_inflater_init(
    png_inflater *inflater, lqip_codec *codec, uint32_t first_chunk_size, uint64_t count,
    size_t max_request);

void png_inflater_free(png_inflater *inflater);

/// Makes at least `count` bytes available; returns false if libpng must decode the image.
bool png_inflater_provide(png_inflater *inflater, size_t count);

/// Reads to the end of the data; returns false unless it ends with the image and the checksums are correct.
bool png_inflater_finish(png_inflater *inflater);

#endif

/// The maximum number of bytes that the functions below read and write past the end of a row.
enum { PNG_ROW_PADDING = 8 };

/// Undoes the filter of a row; returns false if the filter type is invalid.
///
/// - filtered: The stored row, which starts with the filter type.
/// - above: The row above, or zeros.
/// - row: The result, at least `count` bytes.
/// - pixel_size: Bytes per pixel: 1, 2, 3, 4, 6 or 8.
///
/// All three rows have `PNG_ROW_PADDING` extra bytes at their end; those of `row` are overwritten.
///
/// Source: PNG, section 9.2.
bool png_unfilter(
    const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, int pixel_size);

/// Undoes the Paeth filter in two rows at once, in slightly more than half the time of two `png_unfilter` calls.
///
/// - filtered: The stored rows, one after the other.
/// - below: The result for the second row, with the same padding.
///
/// Returns false if a row has another filter or fewer than two pixels, or if pixels are larger than 4 bytes. The caller
/// then undoes the filters row by row.
bool png_unfilter_two(
    const uint8_t *filtered, const uint8_t *above, uint8_t *row, uint8_t *below, size_t count,
    int pixel_size);

#pragma clang assume_nonnull end
