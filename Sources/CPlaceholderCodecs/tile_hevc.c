// Decodes tiles of HEVC with libde265, without threads. The caller has vetted the parameter sets and unit types.

#include "tile.h"

#ifdef HAS_HEIC

#include <libde265/de265-version.h>
#include <libde265/de265.h>
#include <stdlib.h>

#include "codec_library.h"

#define HEVC_FUNCTIONS(each) \
  each(de265_get_version_number) each(de265_new_decoder) each(de265_free_decoder) \
  each(de265_set_parameter_bool) each(de265_push_NAL) each(de265_flush_data) \
  each(de265_decode) each(de265_reset) each(de265_peek_next_picture) each(de265_get_warning) \
  each(de265_get_error_text) each(de265_get_image_width) each(de265_get_image_height) \
  each(de265_get_chroma_format) each(de265_get_bits_per_pixel) each(de265_get_image_plane) \
  each(de265_get_image_full_range_flag) each(de265_get_image_colour_primaries) \
  each(de265_get_image_transfer_characteristics) each(de265_get_image_matrix_coefficients)

typedef struct {
#define HEVC_FIELD(name) __typeof__(&name) name;
  HEVC_FUNCTIONS(HEVC_FIELD)
} hevc_functions;

static CODEC_LIBRARY(hevc_functions, hevc_library, "libde265.so.0", HEVC_FUNCTIONS)

uint32_t de265_library_version(void) {
  const hevc_functions *library = hevc_library();
  if (!library) return 0;
  // Binary-coded decimal in four bytes, such as 0x01001100 for 1.0.11.
  const uint32_t version = library->de265_get_version_number();
  uint32_t parts[3];
  for (int i = 0; i < 3; i++) {
    const uint32_t byte = version >> (24 - 8 * i) & 255;
    parts[i] = byte / 16 * 10 + byte % 16;
  }
  return parts[0] << 16 | parts[1] << 8 | parts[2];
}

typedef struct {
  const hevc_functions *library;
  de265_decoder_context *_Nullable context;
  bool lenient;
} hevc_decoder;

static void close_decoder(void *memory) {
  hevc_decoder *decoder = memory;
  if (decoder->context) decoder->library->de265_free_decoder(decoder->context);
  free(decoder);
}

static void *open_decoder(uint32_t max_pixels, bool exact, bool lenient) {
  // libde265 has no limit of its own; the caller reads the size in the parameter sets first.
  (void)max_pixels;
  const hevc_functions *library = hevc_library();
  hevc_decoder *decoder = library ? calloc(1, sizeof *decoder) : NULL;
  if (!decoder) return NULL;
  decoder->library = library;
  decoder->lenient = lenient;
  decoder->context = library->de265_new_decoder();
  if (!decoder->context) {
    close_decoder(decoder);
    return NULL;
  }
  library->de265_set_parameter_bool(
      decoder->context, DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES, !lenient);
  library->de265_set_parameter_bool(
      decoder->context, DE265_DECODER_PARAM_DISABLE_DEBLOCKING, !exact);
  library->de265_set_parameter_bool(decoder->context, DE265_DECODER_PARAM_DISABLE_SAO, !exact);
  return decoder;
}

/// Passes the units to libde265, and decodes them; returns its first error or warning, or `DE265_OK`.
static de265_error decode_units(hevc_decoder *decoder, const uint8_t *bytes, size_t count) {
  const hevc_functions *library = decoder->library;
  de265_decoder_context *context = decoder->context;
  library->de265_reset(context);
  for (size_t start = 0; count - start >= 4;) {
    const uint8_t *field = bytes + start;
    const size_t size =
        (size_t)field[0] << 24 | (size_t)field[1] << 16 | (size_t)field[2] << 8 | field[3];
    if (size > count - start - 4) break;
    const de265_error error = library->de265_push_NAL(context, field + 4, (int)size, 0, NULL);
    if (error != DE265_OK) return error;
    start += 4 + size;
  }
  de265_error error = library->de265_flush_data(context);
  // There is more to do as long as a picture is left, so the first picture ends the loop.
  for (int more = 1; error == DE265_OK && more && !library->de265_peek_next_picture(context);)
    error = library->de265_decode(context, &more);
  // Damage in a slice is only a warning.
  return error == DE265_OK ? library->de265_get_warning(context) : error;
}

static lqip_status decode(
    void *memory, const uint8_t *bytes, size_t count, tile_picture *picture,
    const char **message) {
  hevc_decoder *decoder = memory;
  const hevc_functions *library = decoder->library;
  const de265_error error = decode_units(decoder, bytes, count);
  const struct de265_image *image = library->de265_peek_next_picture(decoder->context);
  if (error == DE265_ERROR_OUT_OF_MEMORY) {
    *message = "out of memory";
    return LQIP_OUT_OF_MEMORY;
  }
  if (error != DE265_OK) *message = library->de265_get_error_text(error);
  if (!image) *message = "no picture in the data";
  if (!image || (error != DE265_OK && !decoder->lenient)) return LQIP_CORRUPT;
  const enum de265_chroma chroma = library->de265_get_chroma_format(image);
  picture->tile = (lqip_tile){
      .width = (uint32_t)library->de265_get_image_width(image, 0),
      .height = (uint32_t)library->de265_get_image_height(image, 0),
      .depth = library->de265_get_bits_per_pixel(image, 0),
      .is_gray = chroma == de265_chroma_mono,
      .halves_columns = chroma == de265_chroma_420 || chroma == de265_chroma_422,
      .halves_rows = chroma == de265_chroma_420,
      .primaries = (uint8_t)library->de265_get_image_colour_primaries(image),
      .transfer = (uint8_t)library->de265_get_image_transfer_characteristics(image),
      .matrix = (uint8_t)library->de265_get_image_matrix_coefficients(image),
      .is_full_range = library->de265_get_image_full_range_flag(image) != 0,
  };
  int strides[3] = {0};
  for (int plane = 0; plane < (picture->tile.is_gray ? 1 : 3); plane++)
    picture->planes[plane] = library->de265_get_image_plane(image, plane, &strides[plane]);
  picture->luma_stride = strides[0];
  picture->chroma_stride = strides[1];
  return LQIP_SUCCESS;
}

const tile_codec tile_hevc = {open_decoder, decode, close_decoder};

#endif
