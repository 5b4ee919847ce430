#include "jpeg_rest.h"

#include <string.h>

// Source: ITU-T T.81, annexes B and G.

enum {
  SOS = 0xDA,
  TEM = 0x01,
  COMPONENT_IDS = 256,
  FIRST_AHEAD = 1 << 18,
  /// The most bytes that are read ahead of the first scan.
  MOST_AHEAD = 1 << 24,
};

jpeg_rest jpeg_rest_of(const lqip_jpeg_reader *reader) {
  const struct jpeg_source_mgr *source = reader->info.src;
  return (jpeg_rest){reader->codec, {source->next_input_byte, source->bytes_in_buffer}, 0};
}

bool jpeg_has_more(jpeg_rest *rest) {
  if (rest->bytes.count > 0) return true;
  if (rest->ahead == MOST_AHEAD) return false;
  const size_t before = rest->ahead;
  rest->ahead = before == 0 ? FIRST_AHEAD : 2 * before;
  const lqip_bytes ahead = codec_look_ahead(rest->codec, rest->ahead);
  if (ahead.count <= before) return false;
  rest->bytes = (lqip_bytes){ahead.bytes + before, ahead.count - before};
  return true;
}

/// Returns the next byte; 0 at the end.
static uint8_t next_byte(jpeg_rest *rest) {
  if (!jpeg_has_more(rest)) return 0;
  rest->bytes.count--;
  return *rest->bytes.bytes++;
}

static void skip(jpeg_rest *rest, size_t count) {
  while (count > 0 && jpeg_has_more(rest)) {
    const size_t piece = count < rest->bytes.count ? count : rest->bytes.count;
    rest->bytes.bytes += piece;
    rest->bytes.count -= piece;
    count -= piece;
  }
}

static size_t segment_size(jpeg_rest *rest) {
  const size_t high = next_byte(rest), size = high << 8 | next_byte(rest);
  return size < 2 ? 0 : size - 2;
}

/// Whether the second byte is no marker, or one inside of a scan.
static bool is_data(uint8_t second) {
  return second == 0 || second == TEM || (second >= JPEG_RST0 && second <= JPEG_RST0 + 7);
}

void jpeg_skip_data(jpeg_rest *rest) {
  const uint8_t *next = rest->bytes.bytes, *const end = next + rest->bytes.count;
  while ((next = memchr(next, 0xFF, (size_t)(end - next))) && end - next > 1 && is_data(next[1]))
    next += 2;
  if (!next) next = end;
  rest->bytes = (lqip_bytes){next, (size_t)(end - next)};
}

/// Returns the next marker outside of a scan's data; 0 at the end.
static uint8_t next_marker(jpeg_rest *rest) {
  while (jpeg_has_more(rest)) {
    jpeg_skip_data(rest);
    if (next_byte(rest) != 0xFF) continue;
    uint8_t marker;
    do marker = next_byte(rest);
    while (marker == 0xFF);
    if (!is_data(marker)) return marker;
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
  jpeg_rest rest = jpeg_rest_of(reader);
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
