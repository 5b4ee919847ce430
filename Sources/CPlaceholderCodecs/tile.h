// The codecs of tiles, and the picture that they decode.

#pragma once

#include "lqip_tiles.h"

#pragma clang assume_nonnull begin

/// A decoded picture, whose planes belong to the codec. Samples of more than 8 bits have two bytes.
typedef struct {
  lqip_tile tile;
  const uint8_t *_Nullable planes[3];
  /// The number of bytes from the start of a row to the next, for luma and for chroma.
  ptrdiff_t luma_stride;
  ptrdiff_t chroma_stride;
} tile_picture;

/// A codec of tiles. `open` returns null if the library or memory is missing.
typedef struct {
  void *_Nullable (*_Nonnull open)(uint32_t max_pixels, bool exact, bool lenient);
  lqip_status (*decode)(
      void *decoder, const uint8_t *bytes, size_t count, tile_picture *picture,
      const char *_Nullable *_Nonnull message);
  void (*close)(void *decoder);
} tile_codec;

extern const tile_codec tile_av1, tile_hevc;

/// Returns the version of a library in the form of `lqip_library_version`, loading it if necessary.
uint32_t dav1d_library_version(void);
uint32_t de265_library_version(void);

#pragma clang assume_nonnull end
