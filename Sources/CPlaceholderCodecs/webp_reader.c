// Reads a still WebP image, or the first frame of an animation. libwebpdemux, which browsers use, too, parses the
// container; libwebp decodes the frame.

#ifdef HAS_WEBP

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include "codec.h"

// Pieces are large, because libwebp decodes up to eight rows of a lossless image again for each piece.
enum { LARGEST_PIECE = 1 << 20, SMALLEST_PIECE = 1 << 10, PIXELS_PER_PIECE = 1 << 20 };

/// The maximum number of pixels of an image that is decoded at full size, which preserves the brightness of textures.
///
/// Decoding at full size takes 10% more time and up to 12 MB of memory.
enum { MAX_UNSCALED_PIXELS = 1 << 22 };

enum {
  RIFF_HEADER_SIZE = 12,
  MAX_PROFILE_SIZE = 4 << 20,
  /// The maximum side of a canvas in pixels, libwebp's `WEBP_MAX_DIMENSION`. The format allows 2^24 in an animation.
  MAX_SIDE = 16383,
};

typedef struct {
  lqip_codec *codec;
  /// The file up to the size in its header, or fewer bytes if it is shorter; `copy` unless the caller's memory holds it.
  WebPData file;
  uint8_t *_Nullable copy;
  bool is_truncated;

  WebPDemuxer *_Nullable demuxer;
  WebPChunkIterator profile;
  /// The first frame; the rest of the canvas is transparent.
  WebPIterator frame;
  bool is_lossless;
  bool has_alpha;

  WebPIDecoder *_Nullable decoder;
  WebPDecoderConfig config;
  uint8_t *_Nullable pixels;
  /// The number of bytes passed to libwebp, and the number to pass at a time.
  size_t fed, piece;
  /// The index of the next row to return.
  uint32_t y;
  /// The number of decoded rows of the frame.
  uint32_t ready;
} webp_reader;

// Container

/// Reads the rest of a file of `size` bytes, after its header, into memory.
static void copy_file(webp_reader *reader, const uint8_t *header, uint64_t size) {
  lqip_codec *codec = reader->codec;
  size_t capacity = 0, count = RIFF_HEADER_SIZE, added;
  do {
    // Doubled, because the header can declare more bytes than the file has.
    const uint64_t wanted = capacity == 0 ? codec->available + WINDOW_SIZE : 2 * (uint64_t)capacity;
    capacity = (size_t)(wanted < size ? wanted : size);
    if (capacity > codec->limits.max_memory)
      codec_fail(codec, LQIP_TOO_LARGE, "decoding needs too much memory");
    reader->copy = codec_allocate(codec, reader->copy, capacity);
    if (count == RIFF_HEADER_SIZE) memcpy(reader->copy, header, RIFF_HEADER_SIZE);
    added = codec_read(codec, reader->copy + count, capacity - count);
    count += added;
  } while (count == capacity && capacity < size);
  reader->file = (WebPData){reader->copy, count};
}

/// Provides the file in memory.
static void read_file(webp_reader *reader) {
  lqip_codec *codec = reader->codec;
  uint8_t header[RIFF_HEADER_SIZE];
  const uint8_t *start = codec->next;
  if (codec_read(codec, header, sizeof header) < sizeof header)
    codec_fail_damaged(codec, "unexpected end of file");
  const uint64_t size = 8 + (header[4] | header[5] << 8 | header[6] << 16 | (uint64_t)header[7] << 24);
  if (size < RIFF_HEADER_SIZE) codec_fail(codec, LQIP_CORRUPT, "invalid file size");
  if (codec->window) {
    copy_file(reader, header, size);
  } else {
    const uint64_t available = RIFF_HEADER_SIZE + codec->available + codec->memory_left;
    reader->file = (WebPData){start, (size_t)(available < size ? available : size)};
  }
  reader->is_truncated = codec->at_end = reader->file.size < size;
}

/// Fails because of invalid data, or because the file ends too early.
_Noreturn static void fail_damaged(webp_reader *reader, const char *message) {
  if (!reader->is_truncated) codec_fail(reader->codec, LQIP_CORRUPT, message);
  codec_fail(reader->codec, LQIP_TRUNCATED, "unexpected end of file");
}

/// Finds the ICC profile, which may follow the image. As in Chromium, it counts only if the VP8X chunk has its flag, and not
/// in an animation.
static void find_profile(webp_reader *reader) {
  lqip_codec *codec = reader->codec;
  const uint32_t flags = WebPDemuxGetI(reader->demuxer, WEBP_FF_FORMAT_FLAGS);
  if (!WebPDemuxGetChunk(reader->demuxer, "ICCP", 1, &reader->profile)) return;
  const WebPData *data = &reader->profile.chunk;
  if (flags & ANIMATION_FLAG) {
    codec_warn(codec, "ICC profile ignored: animation");
  } else if (data->size > MAX_PROFILE_SIZE) {
    codec_warn(codec, "ICC profile above 4 MiB ignored");
  } else {
    codec->color.icc_profile = (lqip_bytes){data->bytes, data->size};
  }
}

/// Parses the header of the pixels of the first frame.
static void read_features(webp_reader *reader) {
  enum { LOSSLESS = 2 };
  WebPBitstreamFeatures features;
  const VP8StatusCode status =
      WebPGetFeatures(reader->frame.fragment.bytes, reader->frame.fragment.size, &features);
  if (status != VP8_STATUS_OK) fail_damaged(reader, "invalid image header");
  reader->is_lossless = features.format == LOSSLESS;
  const uint32_t flags = WebPDemuxGetI(reader->demuxer, WEBP_FF_FORMAT_FLAGS);
  // In a still image with a VP8X chunk, browsers ignore alpha without the alpha flag.
  reader->has_alpha = flags & ALPHA_FLAG || (flags & ANIMATION_FLAG && features.has_alpha);
}

static bool is_partial(const webp_reader *reader) {
  const lqip_header *header = &reader->codec->header;
  return (uint32_t)reader->frame.width < header->width ||
         (uint32_t)reader->frame.height < header->height;
}

static void read_container(webp_reader *reader) {
  lqip_codec *codec = reader->codec;
  lqip_header *header = &codec->header;
  read_file(reader);
  WebPDemuxState state;
  lqip_clear_allocation_error();
  reader->demuxer = WebPDemuxPartial(&reader->file, &state);
  if (!reader->demuxer && lqip_has_allocation_error()) codec_fail_out_of_memory(codec);
  if (!reader->demuxer || state < WEBP_DEMUX_PARSED_HEADER) fail_damaged(reader, "invalid container");
  if (reader->is_truncated) codec_damage(codec, "unexpected end of file");
  header->width = WebPDemuxGetI(reader->demuxer, WEBP_FF_CANVAS_WIDTH);
  header->height = WebPDemuxGetI(reader->demuxer, WEBP_FF_CANVAS_HEIGHT);
  codec_check_size(codec, header->width, header->height);
  if (header->width > MAX_SIDE || header->height > MAX_SIDE)
    codec_fail(codec, LQIP_TOO_LARGE, "a side exceeds 16,383 pixels");
  if (!WebPDemuxGetFrame(reader->demuxer, 1, &reader->frame)) fail_damaged(reader, "no image");
  if (WebPDemuxGetI(reader->demuxer, WEBP_FF_FORMAT_FLAGS) & ANIMATION_FLAG) {
    const uint32_t count = WebPDemuxGetI(reader->demuxer, WEBP_FF_FRAME_COUNT);
    codec->frame_count = count < MAX_FRAMES ? count : MAX_FRAMES;
  }
  read_features(reader);
  reader->has_alpha = reader->has_alpha || is_partial(reader);
  header->channels = reader->has_alpha ? 4 : 3;
  find_profile(reader);
}

// Decoding

/// Chooses the scale at which libwebp decodes the image.
///
/// libwebp averages encoded samples and includes the color of transparent pixels, so an image with alpha is not scaled.
/// At 1/8, the error of previews is twice that at 1/4, and decoding is not faster.
static int choose_scale(const webp_reader *reader) {
  const lqip_codec *codec = reader->codec;
  const uint32_t width = codec->header.width, height = codec->header.height;
  const bool is_unscaled = codec->limits.exact || reader->has_alpha ||
                           (uint64_t)width * height <= MAX_UNSCALED_PIXELS;
  return is_unscaled ? 1 : codec_scale(width, height, 4);
}

/// Fails if decoding needs too much memory: the allocations of libwebp 1.2.4, except its tables of prefix codes, plus
/// the decoded rows.
static void check_memory(const webp_reader *reader, uint64_t output_size) {
  const uint64_t most = reader->codec->limits.max_memory;
  const uint64_t width = (uint64_t)reader->frame.width;
  const uint64_t pixels = width * (uint64_t)reader->frame.height;
  // A lossless image: its pixels, and up to three images with one pixel per 4x4 block. The alpha plane: one byte per
  // pixel, and four if it is compressed as a lossless image.
  const uint64_t planes = reader->is_lossless ? pixels * 19 / 4 : reader->has_alpha ? pixels * 5 : 0;
  const uint64_t needed = planes + width * 128 + output_size;
  if (needed <= most) return;
  char message[MESSAGE_SIZE];
  snprintf(
      message, sizeof message, "decoding needs %llu MB of memory, above the limit of %llu",
      (unsigned long long)(needed + 999999) / 1000000, (unsigned long long)most / 1000000);
  codec_fail(reader->codec, LQIP_TOO_LARGE, message);
}

/// Chooses the size of a piece so that the deadline is checked about once per `PIXELS_PER_PIECE` pixels.
static size_t choose_piece(const webp_reader *reader) {
  const uint64_t pixels = (uint64_t)reader->frame.width * (uint64_t)reader->frame.height;
  const uint64_t piece = (uint64_t)reader->frame.fragment.size * PIXELS_PER_PIECE / pixels;
  if (piece < SMALLEST_PIECE) return SMALLEST_PIECE;
  return piece < LARGEST_PIECE ? (size_t)piece : LARGEST_PIECE;
}

/// Creates the decoder of the frame, at the scale of the header.
static void start(webp_reader *reader) {
  lqip_codec *codec = reader->codec;
  WebPDecoderConfig *config = &reader->config;
  if (!WebPInitDecoderConfig(config))
    codec_fail(codec, LQIP_UNSUPPORTED, "incompatible libwebp version");
  const uint32_t scale = (uint32_t)choose_scale(reader);
  const uint32_t width = ((uint32_t)reader->frame.width + scale - 1) / scale;
  const uint32_t height = ((uint32_t)reader->frame.height + scale - 1) / scale;
  const size_t stride = (size_t)width * (reader->has_alpha ? 4 : 3);
  const uint64_t size = (uint64_t)stride * height;
  check_memory(reader, size);
  reader->pixels = malloc((size_t)size);
  config->options.use_scaling = scale > 1;
  config->options.scaled_width = (int)width;
  config->options.scaled_height = (int)height;
  config->output.colorspace = reader->has_alpha ? MODE_RGBA : MODE_RGB;
  config->output.is_external_memory = 1;
  config->output.u.RGBA = (WebPRGBABuffer){reader->pixels, (int)stride, (size_t)size};
  if (reader->pixels) reader->decoder = WebPIDecode(NULL, 0, config);
  if (!reader->decoder) codec_fail_out_of_memory(codec);
  reader->piece = choose_piece(reader);
  // The frame of a partial image is not scaled, because the rest of the canvas is transparent.
  if (is_partial(reader)) return;
  codec->header.scale = (int)scale;
  codec->header.decoded_width = width;
  codec->header.decoded_height = height;
}

static void open_image(lqip_codec *codec) {
  webp_reader *reader = codec->reader;
  reader->codec = codec;
  read_container(reader);
  start(reader);
}

static void close_image(void *memory) {
  webp_reader *reader = memory;
  WebPIDelete(reader->decoder);
  WebPDemuxReleaseIterator(&reader->frame);
  WebPDemuxReleaseChunkIterator(&reader->profile);
  WebPDemuxDelete(reader->demuxer);
  free(reader->pixels);
  free(reader->copy);
}

// Rows

/// Passes the next piece to libwebp.
static void feed(webp_reader *reader) {
  lqip_codec *codec = reader->codec;
  const WebPData *data = &reader->frame.fragment;
  codec_check_deadline(codec);
  if (reader->fed == data->size) fail_damaged(reader, "unexpected end of image data");
  // Until a row is ready, libwebp parses the codes and transforms of a lossless image again for each piece. Doubling
  // the data limits the number of pieces.
  const size_t next = reader->ready == 0 && reader->fed > reader->piece ? reader->fed : reader->piece;
  reader->fed += next < data->size - reader->fed ? next : data->size - reader->fed;
  lqip_clear_allocation_error();
  const VP8StatusCode status = WebPIUpdate(reader->decoder, data->bytes, reader->fed);
  int ready, width, height, stride;
  if (WebPIDecGetRGB(reader->decoder, &ready, &width, &height, &stride))
    reader->ready = (uint32_t)ready;
  if (status == VP8_STATUS_OK || status == VP8_STATUS_SUSPENDED) return;
  // libwebp reports damaged data if it cannot allocate tables or alpha.
  if (status == VP8_STATUS_OUT_OF_MEMORY || lqip_has_allocation_error())
    codec_fail_out_of_memory(codec);
  codec_fail(codec, LQIP_CORRUPT, "invalid image data");
}

static bool read_row(lqip_codec *codec, uint8_t *samples, lqip_row *row) {
  webp_reader *reader = codec->reader;
  if (reader->y == codec->header.decoded_height) return false;
  const size_t stride = (size_t)reader->config.output.u.RGBA.stride;
  const uint32_t frame_y = reader->y - (uint32_t)reader->frame.y_offset;
  const bool is_in_frame = frame_y < (uint32_t)reader->config.options.scaled_height;
  if (is_in_frame) {
    while (reader->ready <= frame_y) feed(reader);
    memcpy(samples, reader->pixels + stride * frame_y, stride);
  }
  *row = (lqip_row){
      .y = reader->y++, .first_x = (uint32_t)reader->frame.x_offset, .step_x = 1,
      .count = is_in_frame ? (uint32_t)reader->config.options.scaled_width : 0,
      .is_transparent_elsewhere = true};
  return true;
}

const codec_format webp_format = {sizeof(webp_reader), open_image, read_row, close_image, true};

#endif
