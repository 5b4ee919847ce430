// The decoder of the coefficients of scans, shared by the baseline and the progressive reader.

#pragma once

#include <stdlib.h>

#include "jpeg_bits.h"

#define ALWAYS_INLINE __attribute__((always_inline))

#pragma clang assume_nonnull begin

enum {
  /// The coefficients after which no run of a lookup ends: two runs of 16.
  PADDED_SIZE = DCTSIZE2 + 32,
  /// In `jpeg_run.advance`: the block ends; the window is too short for a symbol and its bits.
  END_OF_BLOCK = 128,
  NOT_IN_WINDOW = 64,
  MISSING_DC = -1,
  /// The number of low bits that AC coefficients may lack.
  MAX_LOW = 2,
  /// The maximum number of pixels of an image in which the energy of each block is read, whatever its texture.
  MAX_COMPLETE_PIXELS = 1 << 22,
  /// Texture is detected in this share of an image's rows.
  PROBED_SHARE = 8,
  MIN_TEXTURE = 60,
  /// The maximum number of pixels of a progressive image with texture.
  MAX_TEXTURED_PIXELS = 1 << 21,
};

/// What the next bits say if they begin with codes of AC coefficients: up to two of these and the end of the block.
typedef struct {
  /// The number of bits; `NOT_IN_WINDOW` before the run is computed.
  uint8_t bits;
  /// The number of coefficients passed, plus one of the constants above.
  uint8_t advance;
  /// The position of the first coefficient plus 16 times the number of its bits; the position of the second one.
  uint8_t first, second;
  /// The values of the two coefficients, which may be zero.
  int16_t values[2];
} jpeg_run;

/// The header of a scan.
typedef struct {
  int count;
  /// The indices of the components, and the numbers of their tables.
  int components[MAX_COMPS_IN_SCAN];
  int dc_tables[MAX_COMPS_IN_SCAN];
  int ac_tables[MAX_COMPS_IN_SCAN];
  /// The first and the last coefficient; the bits that earlier scans lack, and those that this one lacks.
  int first, last, high, low;
} scan_header;

typedef struct jpeg_scanner {
  jpeg_bits bits;
  scan_header scan;
  /// The tables of the file, some of which are in `stored`.
  const JHUFF_TBL *_Nullable tables[2][NUM_HUFF_TBLS];
  JHUFF_TBL stored[2][NUM_HUFF_TBLS];
  unsigned restart_interval, until_restart, restart_count;
  // For each component of the scan:
  jpeg_huffman dc[MAX_COMPS_IN_SCAN], ac[MAX_COMPS_IN_SCAN];
  jpeg_run runs[MAX_COMPS_IN_SCAN][1 << WINDOW_BITS];
  uint16_t skips[MAX_COMPS_IN_SCAN][1 << WINDOW_BITS];
  /// The quantization steps in the order of the file. The last one of a scan is in the place of the last of a block.
  uint16_t steps[MAX_COMPS_IN_SCAN][PADDED_SIZE];
  /// The first component with the same AC table.
  int same_tables[MAX_COMPS_IN_SCAN];
  int last_dc[MAX_COMPS_IN_SCAN];
  /// One in this number of MCUs, 1 or 4, has its energy read; the next ones take that of its last block.
  JDIMENSION energy_step;
  bool skips_energy;
  /// The number of blocks that follow without coefficients in this scan.
  int empty_blocks;
  /// The first coefficients of the last block; the others are undefined.
  int16_t values[PADDED_SIZE];
  /// The sum of the squared AC coefficients of the last block.
  uint64_t energy;
} jpeg_scanner;

static inline jpeg_component_info *component_of(const jpeg_reader *reader, int i) {
  return &reader->info.comp_info[reader->scanner->scan.components[i]];
}

/// Returns the quantization table of a component; null if it is not defined yet.
static inline const JQUANT_TBL *_Nullable quant_table(const struct jpeg_decompress_struct *info, int component) {
  const int number = info->comp_info[component].quant_tbl_no;
  return number >= 0 && number < NUM_QUANT_TBLS ? info->quant_tbl_ptrs[number] : NULL;
}

/// Prepares the tables of the scan; returns false if one is missing or invalid.
bool jpeg_prepare_scan(jpeg_reader *reader);

/// Returns whether the light of a block follows from its means and the variance of its first component.
bool jpeg_has_light(const struct jpeg_decompress_struct *info);

/// Reads the scans of a progressive image that are needed; returns false if one is missing, unusual or damaged.
bool jpeg_read_progressive(jpeg_reader *reader);

static inline ALWAYS_INLINE bool read_dc(jpeg_scanner *scanner, int i, jpeg_cursor *cursor) {
  jpeg_refill(cursor);
  const jpeg_number number = scanner->dc[i].numbers[cursor->bits >> (64 - NUMBER_BITS)];
  if (__builtin_expect(number.bits > 0, 1)) {
    jpeg_consume(cursor, number.bits);
    scanner->last_dc[i] += number.value;
  } else {
    const int size = jpeg_symbol(cursor, &scanner->dc[i]);
    if (size < 0) return false;
    scanner->last_dc[i] += jpeg_extended(jpeg_take(cursor, size), size);
  }
  return scanner->last_dc[i] == (int16_t)scanner->last_dc[i];
}

/// Computes the run in a value of the window.
void jpeg_make_run(jpeg_scanner *scanner, int table, size_t window);

/// Decodes the next symbol of a block, whose next coefficient is `k`; returns the following one, `DCTSIZE2` at the end
/// of the block, or -1 if the data is invalid.
int jpeg_read_symbol(jpeg_scanner *scanner, int i, int k);

static inline uint64_t jpeg_squared(uint16_t step, int value) {
  // Unsigned, because the square of an invalid coefficient can overflow.
  const uint64_t coefficient = (uint64_t)((int64_t)step * value);
  return coefficient * coefficient;
}

/// The place of the first AC coefficient of a scan in `steps` and `values`.
static inline int first_place(const jpeg_scanner *scanner) {
  return scanner->scan.first > 0 ? DCTSIZE2 - 1 - scanner->scan.last + scanner->scan.first : 1;
}

/// Reads the AC coefficients of a block; returns false if they are invalid.
static inline ALWAYS_INLINE bool read_ac(
    jpeg_scanner *scanner, int i, jpeg_cursor *cursor, bool has_runs, bool has_values, bool has_energy) {
  const int table = scanner->same_tables[i];
  const jpeg_run *runs = scanner->runs[table];
  const uint16_t *steps = scanner->steps[i];
  int16_t *values = scanner->values;
  uint64_t energy = 0;
  int k = first_place(scanner);
  if (has_values) memset(values + k, 0, 8 * sizeof *values);
  while (k < DCTSIZE2) {
    jpeg_refill(cursor);
    // The bits are enough for four windows.
    for (int j = 0; j < 4; j++) {
      const size_t window = cursor->bits >> (64 - WINDOW_BITS);
      const jpeg_run run = runs[window];
      const int next = k + run.advance;
      const int first = k + (run.first & 15), second = k + run.second;
      // A later symbol may belong to the next block.
      if (__builtin_expect(next & NOT_IN_WINDOW, 0)) {
        if (!has_runs && run.bits == NOT_IN_WINDOW) {
          jpeg_make_run(scanner, table, window);
          continue;
        }
        if (run.first >> 4 > 0 && first < DCTSIZE2) {
          values[first] = run.values[0];
          energy += jpeg_squared(steps[first], run.values[0]);
          jpeg_consume(cursor, run.first >> 4);
          k = first + 1;
          break;
        }
        scanner->bits.cursor = *cursor;
        scanner->energy = energy;
        k = jpeg_read_symbol(scanner, i, k);
        *cursor = scanner->bits.cursor;
        energy = scanner->energy;
        if (k < 0) return false;
        break;
      }
      if (has_values) {
        values[second] = run.values[1];
        values[first] = run.values[0];
      }
      if (has_energy)
        energy += jpeg_squared(steps[second], run.values[1]) + jpeg_squared(steps[first], run.values[0]);
      jpeg_consume(cursor, run.bits);
      k = next;
      if (k >= DCTSIZE2) break;
    }
  }
  scanner->energy = energy;
  return true;
}

static inline int16_t clamped(int64_t value) {
  return (int16_t)(value < -MAX_MEAN ? -MAX_MEAN : value > MAX_MEAN ? MAX_MEAN : value);
}

static inline void set_variance(jpeg_reader *reader, JDIMENSION column, JDIMENSION row, uint64_t energy) {
  const uint64_t variance = energy / (DCTSIZE2 / VARIANCE_UNIT);
  reader->variances[row * reader->blocks_across + column] =
      (uint16_t)(variance < UINT16_MAX ? variance : UINT16_MAX);
}

/// Adds the lowest frequencies of a block to the means of its quarters; returns their energy.
static inline ALWAYS_INLINE uint64_t add_to_quarters(int16_t *top, size_t width, int64_t x, int64_t y, int64_t xy) {
  // In units of 1/2^16: the mean of a half of the lowest cosine, times the square root of 2; and twice its square.
  enum { half = 59384, quarter = 53810 };
  x = x * half >> 16;
  y = y * half >> 16;
  xy = xy * quarter >> 16;
  int16_t *bottom = top + width;
  top[0] = clamped(top[0] + x + y + xy);
  top[1] = clamped(top[1] - x + y - xy);
  bottom[0] = clamped(bottom[0] + x - y - xy);
  bottom[1] = clamped(bottom[1] - x - y + xy);
  return (uint64_t)(x * x + y * y + xy * xy);
}

/// Returns the mean of a block, or that of its first quarter.
static inline ALWAYS_INLINE int16_t *first_mean(
    const jpeg_reader *reader, int component, JDIMENSION column, JDIMENSION row) {
  const jpeg_plane *plane = &reader->planes[component];
  return plane->means + reader->means_per_side * (row * plane->width + column);
}

/// Adds the lowest frequencies of the last block to the means of its quarters; returns their energy.
static inline ALWAYS_INLINE uint64_t add_lowest(jpeg_reader *reader, int i, JDIMENSION column, JDIMENSION row) {
  const jpeg_scanner *scanner = reader->scanner;
  const int component = scanner->scan.components[i], first = first_place(scanner);
  const uint16_t *steps = scanner->steps[i] + first;
  const int16_t *values = scanner->values + first;
  const uint64_t energy = add_to_quarters(
      first_mean(reader, component, column, row), reader->planes[component].width,
      (int64_t)values[0] * steps[0], (int64_t)values[1] * steps[1], (int64_t)values[3] * steps[3]);
  return energy < scanner->energy ? energy : scanner->energy;
}

/// Sets the mean of a block and its quarters.
static inline ALWAYS_INLINE void set_mean(
    const jpeg_reader *reader, int component, JDIMENSION column, JDIMENSION row, int16_t mean) {
  int16_t *first = first_mean(reader, component, column, row);
  first[0] = mean;
  if (reader->means_per_side == 1) return;
  int16_t *bottom = first + reader->planes[component].width;
  first[1] = bottom[0] = bottom[1] = mean;
}

/// Reads the blocks in some rows of a scan, which begins with row 0; returns false if the data is invalid.
static inline ALWAYS_INLINE bool read_blocks(
    jpeg_reader *reader, JDIMENSION first_row, JDIMENSION end_row,
    bool (*read)(jpeg_reader *, int, JDIMENSION, JDIMENSION, jpeg_cursor *)) {
  const struct jpeg_decompress_struct *info = &reader->info;
  jpeg_scanner *scanner = reader->scanner;
  const int count = scanner->scan.count;
  const jpeg_component_info *const first = component_of(reader, 0);
  JDIMENSION across = first->width_in_blocks, down = first->height_in_blocks;
  // The blocks of a component in an MCU.
  JDIMENSION widths[MAX_COMPS_IN_SCAN] = {1}, heights[MAX_COMPS_IN_SCAN] = {1};
  if (count > 1) {
    across = reader->mcus_across;
    down = reader->mcus_down;
    for (int i = 0; i < count; i++) {
      widths[i] = (JDIMENSION)component_of(reader, i)->h_samp_factor;
      heights[i] = (JDIMENSION)component_of(reader, i)->v_samp_factor;
    }
  }
  if (down > end_row) down = end_row;
  if (first_row == 0) {
    scanner->until_restart = scanner->restart_interval;
    scanner->restart_count = 0;
    jpeg_start_bits(&scanner->bits);
  }
  jpeg_bits *bits = &scanner->bits;
  // The compiler keeps a local variable in registers.
  jpeg_cursor cursor = bits->cursor;
  for (JDIMENSION y = first_row; y < down; y++) {
    jpeg_check_limits((j_common_ptr)info);
    for (JDIMENSION x = 0; x < across; x++) {
      if (scanner->restart_interval > 0 && scanner->until_restart-- == 0) {
        bits->cursor = cursor;
        if (!jpeg_restart(bits, scanner->restart_count++)) return false;
        cursor = bits->cursor;
        memset(scanner->last_dc, 0, sizeof scanner->last_dc);
        scanner->empty_blocks = 0;
        scanner->until_restart = scanner->restart_interval - 1;
      }
      if (bits->end - cursor.next < MAX_MCU_SIZE && !bits->has_ended) {
        bits->cursor = cursor;
        jpeg_load_bytes(bits);
        cursor = bits->cursor;
      }
      scanner->skips_energy = (x & (scanner->energy_step - 1)) != 0;
      for (int i = 0; i < count; i++)
        for (JDIMENSION v = 0; v < heights[i]; v++)
          for (JDIMENSION h = 0; h < widths[i]; h++)
            if (!read(reader, i, x * widths[i] + h, y * heights[i] + v, &cursor)) return false;
      if (jpeg_bits_left(bits, cursor) < 0) return false;
    }
  }
  bits->cursor = cursor;
  return true;
}

#pragma clang assume_nonnull end
