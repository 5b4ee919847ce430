// Decodes tiles of AV1 with dav1d, without threads.

#include "tile.h"

#ifdef HAS_AVIF

#include <dav1d/dav1d.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "codec_library.h"

#define AV1_FUNCTIONS(each) \
  each(dav1d_version) each(dav1d_default_settings) each(dav1d_open) each(dav1d_close) \
  each(dav1d_parse_sequence_header) each(dav1d_data_wrap) each(dav1d_data_unref) \
  each(dav1d_send_data) each(dav1d_get_picture) each(dav1d_picture_unref) each(dav1d_flush)

typedef struct {
#define AV1_FIELD(name) __typeof__(&name) name;
  AV1_FUNCTIONS(AV1_FIELD)
} av1_functions;

#define QUOTED(number) #number
#define SHARED_OBJECT(major) "libdav1d.so." QUOTED(major)

static CODEC_LIBRARY(
    av1_functions, av1_library, SHARED_OBJECT(DAV1D_API_VERSION_MAJOR), AV1_FUNCTIONS)

uint32_t dav1d_library_version(void) {
  const av1_functions *library = av1_library();
  if (!library) return 0;
  uint32_t version = 0;
  // Such as "1.0.0", or "1.0.0-12-gabcdef" for a build between versions.
  char *next = (char *)library->dav1d_version();
  for (int i = 0; i < 3; i++, next += *next == '.')
    version = version << 8 | (uint32_t)(strtoul(next, &next, 10) & 255);
  return version;
}

typedef struct {
  const av1_functions *library;
  Dav1dContext *_Nullable context;
  Dav1dPicture picture;
} av1_decoder;

static void close_decoder(void *memory) {
  av1_decoder *decoder = memory;
  if (decoder->picture.data[0]) decoder->library->dav1d_picture_unref(&decoder->picture);
  if (decoder->context) decoder->library->dav1d_close(&decoder->context);
  free(decoder);
}

static void *open_decoder(uint32_t max_pixels, bool exact, bool lenient) {
  const av1_functions *library = av1_library();
  av1_decoder *decoder = library ? calloc(1, sizeof *decoder) : NULL;
  if (!decoder) return NULL;
  decoder->library = library;
  Dav1dSettings settings;
  library->dav1d_default_settings(&settings);
  settings.n_threads = 1;
  settings.max_frame_delay = 1;
  settings.all_layers = 0;
  settings.frame_size_limit = max_pixels;
  settings.strict_std_compliance = !lenient;
  settings.apply_grain = exact;
  settings.inloop_filters = exact ? DAV1D_INLOOPFILTER_ALL : DAV1D_INLOOPFILTER_NONE;
  settings.logger.callback = NULL;
  if (library->dav1d_open(&decoder->context, &settings) == 0) return decoder;
  close_decoder(decoder);
  return NULL;
}

static lqip_tile description(
    const Dav1dSequenceHeader *header, enum Dav1dPixelLayout layout, int width, int height) {
  return (lqip_tile){
      .width = (uint32_t)width,
      .height = (uint32_t)height,
      .depth = 8 + 2 * header->hbd,
      .is_gray = layout == DAV1D_PIXEL_LAYOUT_I400,
      .halves_columns = layout == DAV1D_PIXEL_LAYOUT_I420 || layout == DAV1D_PIXEL_LAYOUT_I422,
      .halves_rows = layout == DAV1D_PIXEL_LAYOUT_I420,
      .primaries = (uint8_t)header->pri,
      .transfer = (uint8_t)header->trc,
      .matrix = (uint8_t)header->mtrx,
      .is_full_range = header->color_range,
  };
}

bool lqip_tile_describe_av1(const uint8_t *bytes, size_t count, lqip_tile *tile) {
  const av1_functions *library = av1_library();
  Dav1dSequenceHeader header;
  if (!library || library->dav1d_parse_sequence_header(&header, bytes, count) != 0) return false;
  *tile = description(&header, header.layout, header.max_width, header.max_height);
  return true;
}

/// The bytes belong to the caller, and outlive dav1d's references to them.
static void keep_bytes(const uint8_t *bytes, void *cookie) { (void)bytes, (void)cookie; }

/// Passes bytes to dav1d until it returns a picture; returns a negative error of dav1d, or 0.
static int decode_first(av1_decoder *decoder, const uint8_t *bytes, size_t count) {
  const av1_functions *library = decoder->library;
  Dav1dData data = {0};
  int error = library->dav1d_data_wrap(&data, bytes, count, keep_bytes, NULL);
  while (error == 0) {
    error = data.sz > 0 ? library->dav1d_send_data(decoder->context, &data) : 0;
    if (error != 0 && error != DAV1D_ERR(EAGAIN)) break;
    error = library->dav1d_get_picture(decoder->context, &decoder->picture);
    if (error != DAV1D_ERR(EAGAIN) || data.sz == 0) break;
    error = 0;
  }
  library->dav1d_data_unref(&data);
  // Drops the reference frames, and the references to `bytes`.
  library->dav1d_flush(decoder->context);
  return error;
}

static lqip_status decode(
    void *memory, const uint8_t *bytes, size_t count, tile_picture *picture,
    const char **message) {
  av1_decoder *decoder = memory;
  if (decoder->picture.data[0]) decoder->library->dav1d_picture_unref(&decoder->picture);
  const int error = decode_first(decoder, bytes, count);
  if (error != 0) {
    *message = error == DAV1D_ERR(ERANGE)   ? "the picture exceeds its declared size"
               : error == DAV1D_ERR(EAGAIN) ? "no picture in the data"
               : error == DAV1D_ERR(ENOMEM) ? "out of memory"
                                            : "invalid AV1 data";
    return error == DAV1D_ERR(ENOMEM) ? LQIP_OUT_OF_MEMORY : LQIP_CORRUPT;
  }
  const Dav1dPicture *decoded = &decoder->picture;
  *picture = (tile_picture){
      .tile = description(decoded->seq_hdr, decoded->p.layout, decoded->p.w, decoded->p.h),
      .planes = {decoded->data[0], decoded->data[1], decoded->data[2]},
      .luma_stride = decoded->stride[0],
      .chroma_stride = decoded->stride[1],
  };
  return LQIP_SUCCESS;
}

const tile_codec tile_av1 = {open_decoder, decode, close_decoder};

#endif
