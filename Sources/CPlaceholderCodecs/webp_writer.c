#ifdef HAS_WEBP

#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include "lqip_writers.h"

enum {
  OPAQUE_METHOD = 6,
  /// The libwebp method for images with alpha. Method 6 takes up to 17 ms and saves hardly any bytes.
  ALPHA_METHOD = 4,
  /// The libwebp methods for lossless files. With the slowest one and the highest quality, libwebp compares several
  /// transforms.
  LOSSLESS_METHOD = 1,
  SMALLEST_METHOD = 6,
  SMALLEST_QUALITY = 100,
  /// The strength of the deblocking filter. For 12 photos, each encoded in 400 characters, the mean `PictureDistance`
  /// is 0.0346 without the filter, and 0.0336 with a strength of 40 to 80.
  FILTER_STRENGTH = 50,
};

struct lqip_webp_writer {
  WebPPicture picture;
  WebPConfig config;
  uint8_t *_Nullable file;
  size_t capacity;
  size_t count;
};

/// Stores the bytes that fit into the buffer, and counts all bytes.
static int write_bytes(const uint8_t *bytes, size_t count, const WebPPicture *picture) {
  lqip_webp_writer *writer = picture->custom_ptr;
  if (writer->count < writer->capacity) {
    const size_t room = writer->capacity - writer->count;
    memcpy(writer->file + writer->count, bytes, count < room ? count : room);
  }
  writer->count += count;
  return true;
}

/// Converts the samples once, for all files; returns false if an allocation fails.
static bool import_samples(
    lqip_webp_writer *writer, const uint8_t *samples, bool has_alpha, bool is_lossless) {
  WebPPicture *picture = &writer->picture;
  // The sharp conversion ignores alpha, so the hidden color of transparent pixels would bleed.
  const bool is_sharp = !is_lossless && !has_alpha;
  picture->use_argb = is_lossless || is_sharp;
  return WebPPictureImportRGBA(picture, samples, picture->width * 4) &&
         (!is_sharp || WebPPictureSharpARGBToYUVA(picture));
}

lqip_webp_writer *lqip_webp_writer_create(
    const uint8_t *samples, uint32_t width, uint32_t height, bool has_alpha,
    lqip_webp_coding coding) {
  const bool is_lossless = coding != LQIP_LOSSY;
  lqip_webp_writer *writer = calloc(1, sizeof *writer);
  if (!writer) return NULL;
  WebPConfig *config = &writer->config;
  if (!WebPConfigInit(config) || !WebPPictureInit(&writer->picture)) {
    free(writer);
    return NULL;
  }
  config->lossless = is_lossless;
  config->segments = 1;
  config->sns_strength = 0;
  config->filter_strength = FILTER_STRENGTH;
  config->method = coding == LQIP_SMALLEST_LOSSLESS ? SMALLEST_METHOD
                   : is_lossless                  ? LOSSLESS_METHOD
                   : has_alpha                    ? ALPHA_METHOD
                                                  : OPAQUE_METHOD;
  writer->picture.width = (int)width;
  writer->picture.height = (int)height;
  writer->picture.writer = write_bytes;
  writer->picture.custom_ptr = writer;
  if (import_samples(writer, samples, has_alpha, is_lossless)) return writer;
  lqip_webp_writer_destroy(writer);
  return NULL;
}

void lqip_webp_writer_destroy(lqip_webp_writer *writer) {
  WebPPictureFree(&writer->picture);
  free(writer);
}

/// Returns the quality that libwebp maps to the given quantizer, computed by inverting libwebp's formula.
static float quality_of(int quantizer) {
  const float compression = quantizer >= 127 ? 0 : 1 - ((float)quantizer + 0.5F) / 127;
  const float linear = compression * compression * compression;
  return 100 * (linear < 0.5F ? linear * 1.5F : (linear + 1) / 2);
}

size_t lqip_webp_writer_encode(
    lqip_webp_writer *writer, int quantizer, int alpha_quality, uint8_t *file, size_t capacity) {
  const bool is_smallest = writer->config.lossless && writer->config.method == SMALLEST_METHOD;
  writer->config.quality = is_smallest ? SMALLEST_QUALITY : quality_of(quantizer);
  writer->config.alpha_quality = alpha_quality;
  writer->file = file;
  writer->capacity = capacity;
  writer->count = 0;
  return WebPEncode(&writer->config, &writer->picture) ? writer->count : 0;
}

bool lqip_webp_decode(
    const uint8_t *file, size_t count, uint32_t width, uint32_t height, uint8_t *pixels) {
  const size_t row = (size_t)width * 4;
  return WebPDecodeRGBAInto(file, count, pixels, row * height, (int)row) != NULL;
}

#endif
