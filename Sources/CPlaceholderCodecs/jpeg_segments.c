#include "jpeg_reader.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SEGMENT_SIZE = 65533 };

// Stores the Exif and ICC segments of the header.
//
// Replaces jpeg_save_markers, which before libjpeg-turbo 3.0.4 takes time quadratic in the number of segments.

// The signatures include the terminating zero of the literal.
static const char exif_signature[] = "Exif\0";
static const char icc_signature[] = "ICC_PROFILE";

static uint8_t read_byte(j_decompress_ptr info) {
  if (info->src->bytes_in_buffer == 0) jpeg_fill_input_buffer(info);
  if (jpeg_reader_of((j_common_ptr)info)->codec->at_end) ERREXIT(info, JERR_INPUT_EOF);
  info->src->bytes_in_buffer--;
  return *info->src->next_input_byte++;
}

/// Reads a segment into an array of `MAX_SEGMENT_SIZE` bytes, and returns its size.
static size_t read_segment(j_decompress_ptr info, uint8_t *segment) {
  int length = read_byte(info) << 8;
  length |= read_byte(info);
  if (length < 2) ERREXIT(info, JERR_BAD_LENGTH);
  const size_t count = (size_t)length - 2;
  for (size_t i = 0; i < count;) {
    segment[i++] = read_byte(info);
    const size_t held = info->src->bytes_in_buffer;
    const size_t piece = held < count - i ? held : count - i;
    memcpy(segment + i, info->src->next_input_byte, piece);
    info->src->next_input_byte += piece;
    info->src->bytes_in_buffer -= piece;
    i += piece;
  }
  return count;
}

static uint8_t *copy_of(lqip_codec *codec, const uint8_t *bytes, size_t count) {
  uint8_t *copy = malloc(count ? count : 1);
  if (!copy) codec_fail(codec, LQIP_OUT_OF_MEMORY, "out of memory");
  memcpy(copy, bytes, count);
  return copy;
}

static boolean read_exif_segment(j_decompress_ptr info) {
  lqip_jpeg_reader *reader = jpeg_reader_of((j_common_ptr)info);
  uint8_t segment[MAX_SEGMENT_SIZE];
  size_t count = read_segment(info, segment);
  const size_t prefix = sizeof exif_signature;
  if (reader->exif || count < prefix || memcmp(segment, exif_signature, prefix) != 0) return TRUE;
  reader->exif_size = count - prefix;
  reader->exif = copy_of(reader->codec, segment + prefix, reader->exif_size);
  return TRUE;
}

static boolean read_icc_segment(j_decompress_ptr info) {
  lqip_jpeg_reader *reader = jpeg_reader_of((j_common_ptr)info);
  uint8_t segment[MAX_SEGMENT_SIZE];
  size_t count = read_segment(info, segment);
  const size_t prefix = sizeof icc_signature + 2;
  if (count < prefix || memcmp(segment, icc_signature, sizeof icc_signature) != 0) return TRUE;
  int number = segment[prefix - 2];
  size_t size = count - prefix;
  if (number == 0 || reader->icc_segments[number].is_present ||
      reader->icc_size + size > MAX_ICC_SIZE)
    return TRUE;
  uint8_t *icc = realloc(reader->icc, reader->icc_size + size + 1);
  if (!icc) codec_fail(reader->codec, LQIP_OUT_OF_MEMORY, "out of memory");
  memcpy(icc + reader->icc_size, segment + prefix, size);
  reader->icc = icc;
  reader->icc_segments[number].is_present = true;
  reader->icc_segments[number].start = reader->icc_size;
  reader->icc_segments[number].size = size;
  reader->icc_size += size;
  reader->icc_segment_count = segment[prefix - 1];
  return TRUE;
}

void jpeg_store_segments(lqip_jpeg_reader *reader) {
  jpeg_set_marker_processor(&reader->info, JPEG_APP0 + 1, read_exif_segment);
  jpeg_set_marker_processor(&reader->info, JPEG_APP0 + 2, read_icc_segment);
}

void jpeg_free_segments(lqip_jpeg_reader *reader) {
  free(reader->icc);
  free(reader->exif);
}

lqip_bytes lqip_jpeg_reader_exif(const lqip_jpeg_reader *reader) {
  return (lqip_bytes){reader->exif, reader->exif_size};
}

/// Sorts the segments of the profile, which are out of order in a few files; returns false if an allocation fails.
static bool order_segments(lqip_jpeg_reader *reader, size_t size) {
  uint8_t *ordered = malloc(size + 1);
  if (!ordered) return false;
  size_t count = 0;
  for (int i = 1; i <= reader->icc_segment_count; i++) {
    const size_t start = reader->icc_segments[i].start;
    memcpy(ordered + count, reader->icc + start, reader->icc_segments[i].size);
    reader->icc_segments[i].start = count;
    count += reader->icc_segments[i].size;
  }
  free(reader->icc);
  reader->icc = ordered;
  return true;
}

lqip_bytes lqip_jpeg_reader_icc_profile(lqip_jpeg_reader *reader) {
  const lqip_bytes none = {NULL, 0};
  size_t size = 0;
  bool are_in_order = true;
  for (int i = 1; i <= reader->icc_segment_count; i++) {
    if (!reader->icc_segments[i].is_present) return none;
    are_in_order = are_in_order && reader->icc_segments[i].start == size;
    size += reader->icc_segments[i].size;
  }
  if (!are_in_order && !order_segments(reader, size)) return none;
  return (lqip_bytes){reader->icc, size};
}
