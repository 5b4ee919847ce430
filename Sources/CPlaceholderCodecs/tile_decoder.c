// The decoder of tiles, and the conversion of their samples to rows of 8-bit colors.

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
  tile_picture picture = {0};
  const lqip_status status =
      decoder->codec->decode(decoder->state, bytes, count, &picture, message);
  if (status != LQIP_SUCCESS) return status;
  decoder->picture = picture;
  *tile = picture.tile;
  return LQIP_SUCCESS;
}

// Rows

/// The rows of samples from which pixels are converted.
typedef struct {
  const uint8_t *luma[2];
  const uint8_t *_Nullable u;
  const uint8_t *_Nullable v;
} tile_rows;

static inline int32_t sample(const uint8_t *row, size_t x, bool is_wide) {
  return is_wide ? ((const uint16_t *)(const void *)row)[x] : row[x];
}

static inline uint8_t clamped(int32_t value) {
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// Returns the luma of 2×2 pixels whose light is about their mean: light is about the square of a sample.
static inline int32_t combined(const tile_rows *rows, size_t x, size_t next, bool is_wide) {
  const float a = (float)sample(rows->luma[0], x, is_wide);
  const float b = (float)sample(rows->luma[0], next, is_wide);
  const float c = (float)sample(rows->luma[1], x, is_wide);
  const float d = (float)sample(rows->luma[1], next, is_wide);
  return (int32_t)(sqrtf((a * a + b * b + c * c + d * d) * 0.25f) + 0.5f);
}

static inline __attribute__((always_inline)) void convert(
    const tile_rows *rows, const lqip_tile_matrix *matrix, lqip_tile_area area, int colors,
    size_t stride, bool is_wide, int shift, uint8_t *samples) {
  const size_t step = area.rows, last = area.x + area.width - 1;
  for (size_t x = area.x; x <= last; x += step, samples += stride) {
    const int32_t y = step == 1 ? sample(rows->luma[0], x, is_wide)
                                : combined(rows, x, x < last ? x + 1 : x, is_wide);
    const int32_t u = rows->u ? sample(rows->u, x >> shift, is_wide) : 0;
    const int32_t v = rows->v ? sample(rows->v, x >> shift, is_wide) : 0;
    for (int i = 0; i < colors; i++)
      samples[i] = clamped(
          (matrix->y[i] * y + matrix->u[i] * u + matrix->v[i] * v + matrix->offset[i]) >> 16);
  }
}

/// Stores the alpha of each pixel; if `is_premultiplied`, divides its colors by alpha.
static void add_alpha(
    const uint8_t *alpha, size_t count, bool is_premultiplied, uint8_t *samples) {
  for (size_t i = 0; i < count; i++, samples += 4) {
    samples[3] = alpha[i];
    if (!is_premultiplied || alpha[i] == 255) continue;
    for (int color = 0; color < 3; color++)
      samples[color] =
          alpha[i] == 0 ? 0 : clamped((samples[color] * 255 + alpha[i] / 2) / alpha[i]);
  }
}

bool lqip_tile_decoder_read(
    const lqip_tile_decoder *decoder, const lqip_tile_matrix *matrix, lqip_tile_area area,
    int channels, const uint8_t *alpha, bool is_premultiplied, uint8_t *samples) {
  const tile_picture *picture = &decoder->picture;
  const lqip_tile *tile = &picture->tile;
  if (!picture->planes[0] || area.width == 0 || area.x >= tile->width ||
      area.width > tile->width - area.x || area.y >= tile->height || area.rows < 1 ||
      area.rows > 2)
    return false;
  const uint32_t below = area.rows == 2 && area.y + 1 < tile->height ? area.y + 1 : area.y;
  const ptrdiff_t chroma = (ptrdiff_t)(area.y >> tile->halves_rows) * picture->chroma_stride;
  const tile_rows rows = {
      .luma = {picture->planes[0] + area.y * picture->luma_stride,
               picture->planes[0] + below * picture->luma_stride},
      .u = tile->is_gray || channels == 1 ? NULL : picture->planes[1] + chroma,
      .v = tile->is_gray || channels == 1 ? NULL : picture->planes[2] + chroma,
  };
  const int colors = channels == 1 ? 1 : 3;
  const size_t stride = (size_t)channels;
  const bool is_wide = tile->depth > 8;
  // With constants, the compiler specializes the loop.
  if (!is_wide && colors == 3 && stride == 3 && tile->halves_columns && area.rows == 2) {
    area.rows = 2;
    convert(&rows, matrix, area, 3, 3, false, 1, samples);
  } else if (!is_wide && colors == 3 && stride == 3 && tile->halves_columns) {
    area.rows = 1;
    convert(&rows, matrix, area, 3, 3, false, 1, samples);
  } else if (is_wide) {
    convert(&rows, matrix, area, colors, stride, true, tile->halves_columns, samples);
  } else {
    convert(&rows, matrix, area, colors, stride, false, tile->halves_columns, samples);
  }
  if (alpha && channels == 4)
    add_alpha(alpha, (area.width + area.rows - 1) / area.rows, is_premultiplied, samples);
  return true;
}
