#include "jpeg_reader.h"

#include <string.h>

// Source: ITU-T T.81, annexes B and G.

enum {
  SOS = 0xDA,
  TEM = 0x01,
  COMPONENT_IDS = 256,
  /// The most bytes that are read ahead of the first scan.
  MOST_AHEAD = 16 << 20,
};

/// The bytes that libjpeg holds, and those after them.
typedef struct {
  lqip_bytes held;
  lqip_bytes ahead;
} jpeg_rest;

static bool has_more(jpeg_rest *rest) {
  if (rest->held.count > 0) return true;
  rest->held = rest->ahead;
  rest->ahead.count = 0;
  return rest->held.count > 0;
}

/// Returns the next byte; 0 at the end.
static uint8_t next_byte(jpeg_rest *rest) {
  if (!has_more(rest)) return 0;
  rest->held.count--;
  return *rest->held.bytes++;
}

static void skip(jpeg_rest *rest, size_t count) {
  while (count > 0 && has_more(rest)) {
    const size_t piece = count < rest->held.count ? count : rest->held.count;
    rest->held.bytes += piece;
    rest->held.count -= piece;
    count -= piece;
  }
}

static size_t segment_size(jpeg_rest *rest) {
  const size_t high = next_byte(rest), size = high << 8 | next_byte(rest);
  return size < 2 ? 0 : size - 2;
}

/// Returns the next marker outside of a scan's data; 0 at the end.
static uint8_t next_marker(jpeg_rest *rest) {
  while (has_more(rest)) {
    const uint8_t *prefix = memchr(rest->held.bytes, 0xFF, rest->held.count);
    skip(rest, prefix ? (size_t)(prefix - rest->held.bytes) + 1 : rest->held.count);
    if (!prefix) continue;
    uint8_t marker;
    do marker = next_byte(rest);
    while (marker == 0xFF);
    const bool is_restart = marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7;
    if (marker != 0 && marker != TEM && !is_restart) return marker;
  }
  return 0;
}

/// Reads the header of a scan; true if it brings DC coefficients that an earlier one has brought.
static bool repeats_dc(jpeg_rest *rest, bool *is_known) {
  uint8_t ids[MAX_COMPS_IN_SCAN];
  const size_t size = segment_size(rest), count = next_byte(rest);
  if (count > MAX_COMPS_IN_SCAN || size != 2 * count + 4) return false;
  for (size_t i = 0; i < count; i++) {
    ids[i] = next_byte(rest);
    skip(rest, 1);
  }
  const bool has_dc = next_byte(rest) == 0;
  skip(rest, 1);
  const bool is_refinement = next_byte(rest) >> 4 != 0;
  bool repeats = false;
  for (size_t i = 0; has_dc && !is_refinement && i < count; i++) {
    repeats = repeats || is_known[ids[i]];
    is_known[ids[i]] = true;
  }
  return repeats;
}

bool lqip_jpeg_reader_find_repeated_dc(lqip_jpeg_reader *reader, bool *is_repeated) {
  *is_repeated = false;
  if (setjmp(reader->codec->failed)) return false;
  const struct jpeg_decompress_struct *info = &reader->info;
  bool is_known[COMPONENT_IDS] = {0};
  for (int i = 0; i < info->comps_in_scan; i++)
    is_known[info->cur_comp_info[i]->component_id & 0xFF] = info->Ss == 0 && info->Ah == 0;
  const uint64_t left = codec_rest(reader->codec);
  const size_t count = left < MOST_AHEAD ? (size_t)left : MOST_AHEAD;
  jpeg_rest rest = {{info->src->next_input_byte, info->src->bytes_in_buffer}, {NULL, 0}};
  if (count > 0) rest.ahead = codec_look_ahead(reader->codec, count);
  for (uint8_t marker; !*is_repeated && (marker = next_marker(&rest)) != 0;) {
    if (marker == JPEG_EOI) break;
    if (marker == SOS) {
      *is_repeated = repeats_dc(&rest, is_known);
    } else {
      skip(&rest, segment_size(&rest));
    }
  }
  return true;
}
