#include "png_rows.h"

#include <string.h>

// A vector holds the samples of one pixel. Lanes that a smaller pixel leaves unused are also stored, and the next pixel
// overwrites them.

typedef uint8_t eight_bytes __attribute__((vector_size(8)));
typedef int16_t pixel __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))

INLINE pixel load(const uint8_t *from) {
  eight_bytes samples;
  memcpy(&samples, from, sizeof samples);
  return __builtin_convertvector(samples, pixel);
}

INLINE void store(pixel samples, uint8_t *to) {
  const eight_bytes low = __builtin_convertvector(samples, eight_bytes);
  memcpy(to, &low, sizeof low);
}

INLINE void add_left(const uint8_t *filtered, uint8_t *row, size_t count, size_t size) {
  eight_bytes left = {0};
  for (size_t i = 0; i < count; i += size) {
    eight_bytes samples;
    memcpy(&samples, filtered + i, sizeof samples);
    left += samples;
    memcpy(row + i, &left, sizeof left);
  }
}

INLINE void add_mean(
    const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, size_t size) {
  pixel left = {0};
  for (size_t i = 0; i < count; i += size) {
    left = (load(filtered + i) + ((left + load(above + i)) >> 1)) & 255;
    store(left, row + i);
  }
}

/// Undoes the Paeth filter of a pixel. The computation is rearranged so that little of it depends on the pixel to the
/// left, which is known last.
///
/// The predictor is the value among left, up and upper left that is nearest to `left + up - upper_left`. It is left,
/// unless left is strictly between up and `turn`. In between, it is the lesser of up and upper left if left is at most
/// `middle`, otherwise the greater.
INLINE pixel add_nearest(pixel samples, pixel left, pixel up, pixel upper_left) {
  const pixel slope = up - upper_left, turn = upper_left - 2 * slope;
  const pixel first = __builtin_elementwise_min(up, turn) + 1;
  const pixel last = __builtin_elementwise_max(up, turn) - 1;
  const pixel middle = upper_left + ~((slope + (slope >> 15)) >> 1);
  const pixel lower = (samples + __builtin_elementwise_min(up, upper_left)) & 255;
  const pixel upper = (samples + __builtin_elementwise_max(up, upper_left)) & 255;
  const pixel is_left = (left < first) | (left > last);
  const pixel by_left = (samples + left) & 255;
  const pixel by_other = lower ^ ((lower ^ upper) & (left > middle));
  return (is_left & by_left) | (~is_left & by_other);
}

INLINE void add_nearest_from(
    pixel left, pixel upper_left, const uint8_t *filtered, const uint8_t *above, uint8_t *row,
    size_t count, size_t size) {
  for (size_t i = 0; i < count; i += size) {
    const pixel up = load(above + i);
    left = add_nearest(load(filtered + i), left, up, upper_left);
    store(left, row + i);
    upper_left = up;
  }
}

INLINE pixel joined(pixel low, pixel high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11);
}

INLINE pixel high_half(pixel both) {
  return __builtin_shufflevector(both, both, 4, 5, 6, 7, 4, 5, 6, 7);
}

/// Undoes the Paeth filter in two rows, each in one half of a vector.
///
/// The lower row lags by two pixels. The pixel above is therefore known one step early, and within a step the rows do
/// not depend on each other.
INLINE void add_nearest_two(
    const uint8_t *filtered, const uint8_t *filtered_below, const uint8_t *above, uint8_t *row,
    uint8_t *below, size_t count, size_t size) {
  pixel before_left = {0}, left = {0}, upper_left = {0};
  const size_t lag = 2 * size;
  for (size_t i = 0; i < count; i += size) {
    const bool is_begun = i >= lag;
    const pixel samples_below = is_begun ? load(filtered_below + i - lag) : (pixel){0};
    const pixel samples = joined(load(filtered + i), samples_below);
    const pixel up = joined(load(above + i), before_left);
    before_left = left;
    left = add_nearest(samples, left, up, upper_left);
    upper_left = up;
    store(left, row + i);
    if (is_begun) store(high_half(left), below + i - lag);
  }
  const size_t done = count - lag;
  add_nearest_from(
      high_half(left), high_half(upper_left), filtered_below + done, row + done, below + done, lag,
      size);
}

static void add_up(
    const uint8_t *filtered, const uint8_t *above, uint8_t *restrict row, size_t count) {
  for (size_t i = 0; i < count; i++) row[i] = (uint8_t)(filtered[i] + above[i]);
}

/// Calls the function with a constant pixel size, so that each size is compiled to a separate loop.
#define FOR_EACH_SIZE(function, ...)             \
  switch (pixel_size) {                          \
    case 1: function(__VA_ARGS__, 1); break;     \
    case 2: function(__VA_ARGS__, 2); break;     \
    case 3: function(__VA_ARGS__, 3); break;     \
    case 4: function(__VA_ARGS__, 4); break;     \
    case 6: function(__VA_ARGS__, 6); break;     \
    default: function(__VA_ARGS__, 8); break;    \
  }

bool png_unfilter(
    const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, int pixel_size) {
  const pixel none = {0};
  switch (*filtered++) {
    case 0: memcpy(row, filtered, count); return true;
    case 1: FOR_EACH_SIZE(add_left, filtered, row, count); return true;
    case 2: add_up(filtered, above, row, count); return true;
    case 3: FOR_EACH_SIZE(add_mean, filtered, above, row, count); return true;
    case 4: FOR_EACH_SIZE(add_nearest_from, none, none, filtered, above, row, count); return true;
    default: return false;
  }
}

bool png_unfilter_two(
    const uint8_t *filtered, const uint8_t *above, uint8_t *row, uint8_t *below, size_t count,
    int pixel_size) {
  const uint8_t *filtered_below = filtered + 1 + count;
  if (*filtered++ != 4 || *filtered_below++ != 4) return false;
  if (count < 2 * (size_t)pixel_size || pixel_size > 4) return false;
  FOR_EACH_SIZE(add_nearest_two, filtered, filtered_below, above, row, below, count);
  return true;
}
