// The decoder of tiles, and the conversion of their samples to rows of 8-bit colors.

#include <stdlib.h>
#include <string.h>

#include "lanes.h"
#include "tile.h"

struct lqip_tile_decoder {
  const tile_codec *codec;
  void *state;
  tile_picture picture;
};

/// The codecs; null if the library was excluded from the build.
static const tile_codec *const codecs[LQIP_HEVC + 1] = {
#ifdef HAS_AVIF
    [LQIP_AV1] = &tile_av1,
#endif
#ifdef HAS_HEIC
    [LQIP_HEVC] = &tile_hevc,
#endif
};

bool lqip_has_tile_codec(lqip_tile_codec codec) { return codecs[codec] != NULL; }

lqip_tile_decoder *lqip_tile_decoder_create(
    lqip_tile_codec codec, uint32_t max_pixels, bool exact, bool lenient) {
  lqip_tile_decoder *decoder = codecs[codec] ? calloc(1, sizeof *decoder) : NULL;
  if (!decoder) return NULL;
  decoder->codec = codecs[codec];
  decoder->state = decoder->codec->open(max_pixels, exact, lenient);
  if (decoder->state) return decoder;
  free(decoder);
  return NULL;
}

void lqip_tile_decoder_destroy(lqip_tile_decoder *decoder) {
  decoder->codec->close(decoder->state);
  free(decoder);
}

#ifndef HAS_AVIF
bool lqip_tile_describe_av1(const uint8_t *bytes, size_t count, lqip_tile *tile) {
  (void)bytes, (void)count, (void)tile;
  return false;
}
#endif

lqip_status lqip_tile_decoder_decode(
    lqip_tile_decoder *decoder, const uint8_t *bytes, size_t count, lqip_tile *tile,
    const char **message) {
  decoder->picture = (tile_picture){0};
  const lqip_status status =
      decoder->codec->decode(decoder->state, bytes, count, &decoder->picture, message);
  *tile = decoder->picture.tile;
  return status;
}

// Rows

#define ALWAYS_INLINE __attribute__((always_inline))

/// The rows of samples from which pixels are converted.
typedef struct {
  const uint8_t *luma[2];
  const uint8_t *_Nullable u;
  const uint8_t *_Nullable v;
} tile_rows;

// The same result on all processors.
#pragma STDC FP_CONTRACT OFF

typedef uint8_t bytes __attribute__((ext_vector_type(LANES)));
typedef uint16_t words __attribute__((ext_vector_type(LANES)));

/// A row of samples up to column `last`; each sample is that of `1 << shift` columns.
typedef struct {
  const uint8_t *_Nullable samples;
  size_t last;
  int shift;
  bool is_wide;
} tile_row;

/// Loads the samples of columns from `x` on, repeating that of the last one.
static inline ALWAYS_INLINE floats load(tile_row row, size_t x) {
  if (row.shift == 0 && x + LANES - 1 <= row.last) {
    bytes narrow;
    words wide;
    if (row.is_wide) {
      memcpy(&wide, row.samples + 2 * x, sizeof wide);
      return __builtin_convertvector(wide, floats);
    }
    memcpy(&narrow, row.samples + x, sizeof narrow);
    return __builtin_convertvector(narrow, floats);
  }
  floats values;
  for (size_t i = 0; i < LANES; i++) {
    const size_t index = (x + i < row.last ? x + i : row.last) >> row.shift;
    values[i] = row.is_wide ? ((const uint16_t *)(const void *)row.samples)[index]
                            : row.samples[index];
  }
  return values;
}

/// Returns luma of 2×2 pixels whose light is about their mean: light is about the square of a sample.
static inline ALWAYS_INLINE floats combined(tile_row upper, tile_row lower, size_t x) {
  const floats a = load(upper, x), b = load(lower, x);
  const floats c = load(upper, x + LANES), d = load(lower, x + LANES);
  const floats first = a * a + b * b, second = c * c + d * d;
  const floats even = __builtin_shufflevector(first, second, 0, 2, 4, 6);
  const floats odd = __builtin_shufflevector(first, second, 1, 3, 5, 7);
  return __builtin_elementwise_sqrt((even + odd) * 0.25f);
}

static inline integers limited(floats values) {
  const floats low = 0, high = 255;
  values = values < low ? low : values;
  return __builtin_convertvector(values < high ? values : high, integers);
}

static inline ALWAYS_INLINE void convert(
    const tile_rows *rows, const lqip_tile_matrix *matrix, lqip_tile_area area, int channels,
    bool is_wide, int shift, uint8_t *samples) {
  const size_t step = area.rows, last = area.x + area.width - 1;
  const size_t count = (area.width + step - 1) / step, colors = channels < 3 ? 1 : 3;
  const tile_row upper = {rows->luma[0], last, 0, is_wide}, lower = {rows->luma[1], last, 0, is_wide};
  // 2×2 pixels share a sample of chroma.
  const int halving = (int)step - 1;
  const tile_row u = {rows->u, last >> halving, shift - halving, is_wide};
  const tile_row v = {rows->v, last >> halving, shift - halving, is_wide};
  for (size_t i = 0; i < count; i += LANES) {
    const size_t x = area.x + i * step;
    const floats luma = step == 1 ? load(upper, x) : combined(upper, lower, x);
    const floats blue = rows->u ? load(u, x >> halving) : 0;
    const floats red = rows->v ? load(v, x >> halving) : 0;
    // The samples of a pixel, from the least significant byte.
    integers pixels = 0;
    for (size_t color = 0; color < colors; color++)
      pixels |= limited(
                    matrix->y[color] * luma + matrix->u[color] * blue + matrix->v[color] * red +
                    matrix->offset[color])
                << (8 * (int)color);
    store_pixels(pixels, channels, count - i, samples + i * (size_t)channels);
  }
}

/// Stores the alpha of each pixel as its last sample; if `is_premultiplied`, divides its colors by alpha.
static void add_alpha(
    const uint8_t *alpha, size_t count, bool is_premultiplied, int channels, uint8_t *samples) {
  for (size_t i = 0; i < count; i++, samples += channels) {
    samples[channels - 1] = alpha[i];
    if (!is_premultiplied || alpha[i] == 255) continue;
    for (int color = 0; color < channels - 1; color++) {
      const int value = alpha[i] == 0 ? 0 : (samples[color] * 255 + alpha[i] / 2) / alpha[i];
      samples[color] = (uint8_t)(value < 255 ? value : 255);
    }
  }
}

bool lqip_tile_decoder_read(
    const lqip_tile_decoder *decoder, const lqip_tile_matrix *matrix, lqip_tile_area area,
    int channels, const uint8_t *alpha, bool is_premultiplied, uint8_t *samples) {
  const tile_picture *picture = &decoder->picture;
  const lqip_tile *tile = &picture->tile;
  if (!picture->planes[0] || area.width == 0 || area.x >= tile->width ||
      area.width > tile->width - area.x || area.y >= tile->height || area.rows < 1 ||
      area.rows > (tile->halves_rows && tile->halves_columns ? 2 : 1))
    return false;
  const uint32_t below = area.rows == 2 && area.y + 1 < tile->height ? area.y + 1 : area.y;
  const ptrdiff_t chroma = (ptrdiff_t)(area.y >> tile->halves_rows) * picture->chroma_stride;
  const tile_rows rows = {
      .luma = {picture->planes[0] + area.y * picture->luma_stride,
               picture->planes[0] + below * picture->luma_stride},
      .u = tile->is_gray || channels < 3 ? NULL : picture->planes[1] + chroma,
      .v = tile->is_gray || channels < 3 ? NULL : picture->planes[2] + chroma,
  };
  const bool is_wide = tile->depth > 8;
  const int shift = tile->halves_columns;
  // With constants, the compiler specializes the loop.
  if (!is_wide && channels == 3 && shift == 1 && area.rows == 2) {
    area.rows = 2;
    convert(&rows, matrix, area, 3, false, 1, samples);
  } else if (!is_wide && channels == 3 && shift == 1) {
    area.rows = 1;
    convert(&rows, matrix, area, 3, false, 1, samples);
  } else {
    convert(&rows, matrix, area, channels, is_wide, shift, samples);
  }
  if (alpha)
    add_alpha(alpha, (area.width + area.rows - 1) / area.rows, is_premultiplied, channels, samples);
  return true;
}
