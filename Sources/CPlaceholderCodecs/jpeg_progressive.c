// Reads the scans of a progressive image that contain the means of blocks, and most of the energy of luma: in a large
// image, only if it has texture. The scans of chroma tell the quarters of its blocks apart; all others are skipped.
//
// Source: ITU-T T.81, annexes B and G.

#include "jpeg_scanner.h"

static uint64_t energy_of(const jpeg_reader *reader, JDIMENSION column, JDIMENSION row) {
  return reader->variances[row * reader->blocks_across + column] * (uint64_t)DCTSIZE2 / VARIANCE_UNIT;
}

/// Reads a DC coefficient, which may lack low bits.
static inline ALWAYS_INLINE bool read_dc_block(
    jpeg_reader *reader, int i, JDIMENSION column, JDIMENSION row, jpeg_cursor *cursor) {
  jpeg_scanner *scanner = reader->scanner;
  if (!read_dc(scanner, i, cursor)) return false;
  const int64_t mean = (int64_t)scanner->last_dc[i] * scanner->steps[i][0] * (1 << scanner->scan.low);
  set_mean(reader, scanner->scan.components[i], column, row, clamped(mean));
  return true;
}

/// Reads a bit of a DC coefficient that an earlier scan lacks.
static inline ALWAYS_INLINE bool refine_dc_block(
    jpeg_reader *reader, int i, JDIMENSION column, JDIMENSION row, jpeg_cursor *cursor) {
  jpeg_scanner *scanner = reader->scanner;
  jpeg_refill(cursor);
  const int component = scanner->scan.components[i];
  const int64_t added = ((int64_t)scanner->steps[i][0] << scanner->scan.low) * jpeg_take(cursor, 1);
  int16_t *mean = first_mean(reader, component, column, row);
  for (JDIMENSION y = 0; y < reader->means_per_side; y++, mean += reader->planes[component].width)
    for (JDIMENSION x = 0; x < reader->means_per_side; x++) mean[x] = clamped(mean[x] + added);
  return true;
}

/// Reads AC coefficients, which may lack low bits: those that tell quarters apart, and the energy of luma.
static inline ALWAYS_INLINE bool read_ac_block(
    jpeg_reader *reader, int i, JDIMENSION column, JDIMENSION row, jpeg_cursor *cursor) {
  jpeg_scanner *scanner = reader->scanner;
  const bool is_lowest = scanner->scan.first == 1, has_quarters = reader->means_per_side > 1 && is_lowest;
  scanner->energy = 0;
  if (scanner->empty_blocks > 0) {
    scanner->empty_blocks--;
    if (is_lowest) return true;
  } else if (
      has_quarters ? !read_ac(scanner, i, cursor, false, true, true)
                   : !read_ac(scanner, i, cursor, false, false, true)) {
    return false;
  }
  uint64_t energy = scanner->energy - (has_quarters ? add_lowest(reader, i, column, row) : 0);
  if (scanner->scan.components[i] > 0) return true;
  // The first scan of the usual order has two thirds of the energy.
  if (scanner->scan.last < DCTSIZE2 - 1) energy = energy * 3 / 2;
  if (!is_lowest) energy += energy_of(reader, column, row) * 2 / 3;
  set_variance(reader, column, row, energy);
  return true;
}

/// Reads Huffman tables; returns false if they are invalid.
static bool read_tables(jpeg_scanner *scanner) {
  jpeg_lookahead *input = &scanner->bits.input;
  size_t size = jpeg_read_segment_size(input);
  while (size > 0) {
    const uint8_t number = jpeg_read_byte(input);
    if (number > 0x1F || (number & 15) >= NUM_HUFF_TBLS) return false;
    JHUFF_TBL *table = &scanner->stored[number >> 4][number & 15];
    memset(table, 0, sizeof *table);
    size_t count = 0;
    for (int length = 1; length <= MAX_CODE_LENGTH; length++)
      count += table->bits[length] = jpeg_read_byte(input);
    if (count > 256 || size < 17 + count) return false;
    for (size_t i = 0; i < count; i++) table->huffval[i] = jpeg_read_byte(input);
    scanner->tables[number >> 4][number & 15] = table;
    size -= 17 + count;
  }
  return true;
}

/// Reads the header of a scan; returns false if it is invalid.
static bool read_header(const jpeg_reader *reader) {
  jpeg_scanner *scanner = reader->scanner;
  jpeg_lookahead *input = &scanner->bits.input;
  scan_header scan = {0};
  const size_t size = jpeg_read_segment_size(input);
  scan.count = jpeg_read_byte(input);
  if (scan.count < 1 || scan.count > MAX_COMPS_IN_SCAN || size != 4 + 2 * (size_t)scan.count) return false;
  for (int i = 0; i < scan.count; i++) {
    const int id = jpeg_read_byte(input), tables = jpeg_read_byte(input);
    int component = 0;
    while (component < reader->info.num_components && reader->info.comp_info[component].component_id != id)
      component++;
    if (component == reader->info.num_components || tables > 0x3F || (tables & 15) > 3) return false;
    scan.components[i] = component;
    scan.dc_tables[i] = tables >> 4;
    scan.ac_tables[i] = tables & 15;
  }
  scan.first = jpeg_read_byte(input);
  scan.last = jpeg_read_byte(input);
  const int bits = jpeg_read_byte(input);
  scan.high = bits >> 4;
  scan.low = bits & 15;
  scanner->scan = scan;
  const bool is_dc = scan.first == 0;
  return scan.low <= 13 && (scan.high == 0 || scan.high == scan.low + 1) &&
         (is_dc ? scan.last == 0 : scan.count == 1 && scan.last >= scan.first && scan.last < DCTSIZE2);
}

/// Advances to the header of the next scan; returns false if there is none that this file can read.
static bool advance_to_scan(const jpeg_reader *reader) {
  jpeg_scanner *scanner = reader->scanner;
  jpeg_lookahead *input = &scanner->bits.input;
  for (;;) {
    const uint8_t marker = jpeg_next_marker(&scanner->bits);
    if (marker == SOS) return read_header(reader);
    if (marker == DHT) {
      if (!read_tables(scanner)) return false;
    } else if (marker == DRI) {
      if (jpeg_read_segment_size(input) != 2) return false;
      scanner->restart_interval = (unsigned)jpeg_read_byte(input) << 8;
      scanner->restart_interval |= jpeg_read_byte(input);
    } else if (marker == JPEG_COM || (marker >= JPEG_APP0 && marker <= JPEG_APP0 + 15)) {
      jpeg_skip(input, jpeg_read_segment_size(input));
    } else {
      return false;
    }
  }
}

/// Reads the DC coefficients of a scan, all components of which either begin or continue.
static bool read_dc_scan(jpeg_reader *reader) {
  const scan_header *scan = &reader->scanner->scan;
  const bool is_refinement = scan->high > 0;
  for (int i = 0; i < scan->count; i++) {
    int *missing = &reader->planes[scan->components[i]].missing_bits;
    // A second image in the file, or an unusual order.
    if (*missing != (is_refinement ? scan->high : MISSING_DC)) return false;
    *missing = scan->low;
  }
  if (!jpeg_prepare_scan(reader)) return false;
  return is_refinement ? read_blocks(reader, 0, UINT32_MAX, refine_dc_block)
                       : read_blocks(reader, 0, UINT32_MAX, read_dc_block);
}

static bool has_all_dc(const jpeg_reader *reader) {
  for (int i = 0; i < reader->info.num_components; i++)
    if (reader->planes[i].missing_bits == MISSING_DC) return false;
  return true;
}

/// Returns whether all DC coefficients are known, and luma's well enough.
///
/// Half of the range of the missing bits is added instead, which is right on average. If the error can exceed one step
/// of an 8-bit sample, it is visible in plain areas.
static bool has_dc(const jpeg_reader *reader) {
  if (!has_all_dc(reader)) return false;
  // A DC coefficient is 8 times the mean of its block.
  return ((1 << reader->planes[0].missing_bits) - 1) * quant_table(&reader->info, 0)->quantval[0] <= 2 * DCTSIZE;
}

/// Discards the AC coefficients, so that each block has a single mean.
static void discard_ac(jpeg_reader *reader) {
  reader->has_variances = false;
  if (reader->means_per_side == 1) return;
  reader->means_per_side = 1;
  for (int i = 0; i < reader->info.num_components; i++) {
    jpeg_plane *plane = &reader->planes[i];
    int16_t *mean = plane->means;
    for (size_t y = 0; y < plane->height; y += 2)
      for (size_t x = 0; x < plane->width; x += 2) {
        const int16_t *top = plane->means + y * plane->width + x, *bottom = top + plane->width;
        *mean++ = (int16_t)((top[0] + top[1] + bottom[0] + bottom[1]) / 4);
      }
    plane->width /= 2;
    plane->height /= 2;
  }
}

static uint64_t sum_of_variances(const jpeg_reader *reader, JDIMENSION rows) {
  uint64_t sum = 0;
  for (size_t i = 0; i < rows * reader->blocks_across; i++) sum += reader->variances[i];
  return sum;
}

typedef enum { DAMAGED, PLAIN, COMPLETE } scan_result;

/// Reads a scan of AC coefficients; if it is probed, beyond the first rows of blocks only if these gain texture.
static scan_result read_ac_scan(jpeg_reader *reader, bool is_probed) {
  const JDIMENSION height = reader->info.comp_info[0].height_in_blocks;
  const JDIMENSION rows = is_probed ? height / PROBED_SHARE + 1 : height;
  const uint64_t limit = sum_of_variances(reader, rows) + rows * reader->blocks_across * (MIN_TEXTURE * VARIANCE_UNIT);
  if (!jpeg_prepare_scan(reader) || !read_blocks(reader, 0, rows, read_ac_block)) return DAMAGED;
  if (is_probed && sum_of_variances(reader, rows) <= limit) return PLAIN;
  return read_blocks(reader, rows, height, read_ac_block) ? COMPLETE : DAMAGED;
}

static bool has_more_pixels(const jpeg_reader *reader, uint64_t count) {
  return (uint64_t)reader->info.image_width * reader->info.image_height > count;
}

/// Reads the rest of luma's AC coefficients if the first rows of blocks show that the variances are too small.
///
/// The highest frequencies of most photos have little energy, those of regular textures most of it.
static void read_texture(jpeg_reader *reader) {
  const scan_header *scan = &reader->scanner->scan;
  if (has_more_pixels(reader, MAX_TEXTURED_PIXELS)) return;
  do
    if (!advance_to_scan(reader) || scan->first == 0 || scan->high > 0) return;
  while (scan->components[0] != 0);
  if (scan->last < DCTSIZE2 - 1 || scan->low > MAX_LOW) return;
  if (read_ac_scan(reader, true) == DAMAGED) discard_ac(reader);
}

/// Returns whether a scan contains the low frequencies of a component with enough bits: the usual first scan of AC
/// coefficients. With other scans, the estimate from adjacent blocks is closer to the light.
static bool has_low_frequencies(const scan_header *scan) {
  enum { min_last = 5 };
  return scan->first == 1 && scan->high == 0 && scan->last >= min_last && scan->low <= MAX_LOW;
}

bool jpeg_read_progressive(jpeg_reader *reader) {
  const scan_header *scan = &reader->scanner->scan;
  // The number of components whose low frequencies are known, beginning with luma.
  int known = 0, scans = 0;
  bool is_known[MAX_CHANNELS] = {false};
  int wanted = !jpeg_has_light(&reader->info) ? 0
               : reader->means_per_side > 1   ? reader->info.num_components
                                              : 1;
  // A cell of the grid has several blocks of such an image. For photos, the means of these are enough.
  const bool is_large = reader->means_per_side == 1 && has_more_pixels(reader, MAX_COMPLETE_PIXELS);
  do {
    const int component = scan->components[0];
    if (++scans > reader->codec->limits.max_scans) break;
    if (scan->first == 0) {
      if (!read_dc_scan(reader)) return false;
    } else if (
        has_all_dc(reader) && known < wanted && has_low_frequencies(scan) && !is_known[component] &&
        (component > 0) == (known > 0)) {
      const scan_result result = read_ac_scan(reader, is_large);
      if (result == DAMAGED) {
        discard_ac(reader);
        return has_dc(reader);
      }
      if (result == PLAIN) {
        wanted = 0;
      } else {
        is_known[component] = reader->has_variances = true;
        known++;
      }
    } else if (has_dc(reader)) {
      break;
    }
  } while ((!has_dc(reader) || known < wanted) && advance_to_scan(reader));
  if (!has_dc(reader)) return false;
  if (!reader->has_variances)
    discard_ac(reader);
  else if (known == wanted)
    read_texture(reader);
  return true;
}
