#ifndef PNG_FILTERS_H
#define PNG_FILTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// How far the functions below read and write beyond the end of a row.
enum { PNG_ROW_PADDING = 8 };

/// Undoes the filter of a row, as the PNG specification has it (section 9.2).
///
/// - filtered: The row as it is stored, with the filter's number first.
/// - above: The row above, or zeros.
/// - row: The row, at least `count` bytes.
/// - pixel_size: Bytes a pixel: 1, 2, 3, 4, 6 or 8.
///
/// All three have `PNG_ROW_PADDING` more bytes at their end, of which those of `row` are overwritten.
/// False where there is no such filter.
bool png_unfilter(
    const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, int pixel_size);

/// Undoes Paeth's filter in two rows at once, which takes little more than half as long.
///
/// - filtered: The rows as they are stored, one after the other.
/// - below: The second row, with the same padding.
///
/// False, with both rows to be undone one by one, where they have another filter or larger pixels.
bool png_unfilter_two(
    const uint8_t *filtered, const uint8_t *above, uint8_t *row, uint8_t *below, size_t count,
    int pixel_size);

#pragma clang assume_nonnull end

#endif
