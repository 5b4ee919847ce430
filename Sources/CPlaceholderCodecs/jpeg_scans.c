#include "jpeg_reader.h"

#include <string.h>

// Finds scans that repeat DC coefficients. Source: ITU-T T.81, annexes B and G.

enum {
  SOS = 0xDA,
  TEM = 0x01,
  COMPONENT_IDS = 256,
  /// The maximum number of bytes read ahead.
  MAX_LOOKAHEAD = 1 << 24,
};

jpeg_lookahead jpeg_lookahead_of(const jpeg_reader *reader) {
  const struct jpeg_source_mgr *source = reader->info.src;
  return (jpeg_lookahead){reader->codec, {source->next_input_byte, source->bytes_in_buffer}, 0};
}

bool jpeg_has_more(jpeg_lookahead *lookahead) {
  if (lookahead->bytes.count > 0) return true;
  const size_t left = MAX_LOOKAHEAD - lookahead->ahead;
  if (left == 0) return false;
  const lqip_bytes ahead = codec_look_ahead(lookahead->codec, lookahead->ahead);
  lookahead->bytes = (lqip_bytes){ahead.bytes, ahead.count < left ? ahead.count : left};
  lookahead->ahead += lookahead->bytes.count;
  return lookahead->bytes.count > 0;
}

/// Returns the next byte; 0 at the end of the data.
static uint8_t read_byte(jpeg_lookahead *lookahead) {
  if (!jpeg_has_more(lookahead)) return 0;
  lookahead->bytes.count--;
  return *lookahead->bytes.bytes++;
}

static void skip(jpeg_lookahead *lookahead, size_t count) {
  while (count > 0 && jpeg_has_more(lookahead)) {
    const size_t piece = count < lookahead->bytes.count ? count : lookahead->bytes.count;
    lookahead->bytes.bytes += piece;
    lookahead->bytes.count -= piece;
    count -= piece;
  }
}

static size_t segment_size(jpeg_lookahead *lookahead) {
  const size_t high = read_byte(lookahead), size = high << 8 | read_byte(lookahead);
  return size < 2 ? 0 : size - 2;
}

/// Returns whether 0xFF and this byte belong to the data of a scan: a stuffed zero, or a marker without a segment.
static bool is_data(uint8_t second) {
  return second == 0 || second == TEM || (second >= JPEG_RST0 && second <= JPEG_RST0 + 7);
}

void jpeg_skip_scan_data(jpeg_lookahead *lookahead) {
  const uint8_t *next = lookahead->bytes.bytes, *const end = next + lookahead->bytes.count;
  while ((next = memchr(next, 0xFF, (size_t)(end - next))) && end - next > 1 && is_data(next[1]))
    next += 2;
  if (!next) next = end;
  lookahead->bytes = (lqip_bytes){next, (size_t)(end - next)};
}

/// Returns the next marker after the data of a scan; 0 at the end of the data.
static uint8_t next_marker(jpeg_lookahead *lookahead) {
  while (jpeg_has_more(lookahead)) {
    jpeg_skip_scan_data(lookahead);
    if (read_byte(lookahead) != 0xFF) continue;
    uint8_t marker;
    do marker = read_byte(lookahead);
    while (marker == 0xFF);
    if (!is_data(marker)) return marker;
  }
  return 0;
}

/// Reads the header of a scan and marks its components in `is_known`, which is indexed by component ID; returns whether
/// the scan repeats DC coefficients of an earlier one.
static bool repeats_dc(jpeg_lookahead *lookahead, bool *is_known) {
  uint8_t ids[MAX_COMPS_IN_SCAN];
  const size_t size = segment_size(lookahead), count = read_byte(lookahead);
  if (count > MAX_COMPS_IN_SCAN || size != 2 * count + 4) return false;
  for (size_t i = 0; i < count; i++) {
    ids[i] = read_byte(lookahead);
    skip(lookahead, 1);
  }
  const bool has_dc = read_byte(lookahead) == 0;
  skip(lookahead, 1);
  const bool is_refinement = read_byte(lookahead) >> 4 != 0;
  bool repeats = false;
  for (size_t i = 0; has_dc && !is_refinement && i < count; i++) {
    repeats = repeats || is_known[ids[i]];
    is_known[ids[i]] = true;
  }
  return repeats;
}

bool jpeg_repeats_dc(const jpeg_reader *reader) {
  const struct jpeg_decompress_struct *info = &reader->info;
  bool is_known[COMPONENT_IDS] = {0};
  for (int i = 0; i < info->comps_in_scan; i++)
    is_known[info->cur_comp_info[i]->component_id & 0xFF] = info->Ss == 0 && info->Ah == 0;
  jpeg_lookahead lookahead = jpeg_lookahead_of(reader);
  for (;;) {
    const uint8_t marker = next_marker(&lookahead);
    if (marker == 0 || marker == JPEG_EOI) return false;
    if (marker != SOS)
      skip(&lookahead, segment_size(&lookahead));
    else if (repeats_dc(&lookahead, is_known))
      return true;
  }
}
