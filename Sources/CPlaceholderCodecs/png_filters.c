#include "png_rows.h"

#include <string.h>

// A vector of four or eight lanes holds the samples of one pixel. Lanes that a smaller pixel leaves unused are also
// stored, and the next pixel overwrites them.

typedef uint8_t four_bytes __attribute__((vector_size(4)));
typedef uint8_t eight_bytes __attribute__((vector_size(8)));
typedef int16_t four __attribute__((vector_size(8)));
typedef int16_t eight __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))

/// Defines the functions for pixels in one vector type, with 16 bits per sample.
///
/// `nearest` undoes the Paeth filter. The computation is rearranged so that little of it depends on the pixel to the
/// left, which is known last.
///
/// The predictor is the value among left, up and upper left that is nearest to `left + up - upper_left`. It is left,
/// unless left is strictly between up and `turn`. In between, it is the lesser of up and upper left if left is at most
/// `middle`, otherwise the greater.
#define DEFINE_FILTERS(vector, bytes)                                                             \
  INLINE vector load_##vector(const uint8_t *from) {                                              \
    bytes samples;                                                                                \
    memcpy(&samples, from, sizeof samples);                                                       \
    return __builtin_convertvector(samples, vector);                                              \
  }                                                                                               \
                                                                                                  \
  INLINE void store_##vector(vector samples, uint8_t *to) {                                       \
    const bytes low = __builtin_convertvector(samples, bytes);                                    \
    memcpy(to, &low, sizeof low);                                                                 \
  }                                                                                               \
                                                                                                  \
  INLINE void add_left_##vector(                                                                  \
      const uint8_t *filtered, uint8_t *row, size_t count, size_t size) {                         \
    bytes left = {0};                                                                             \
    for (size_t i = 0; i < count; i += size) {                                                    \
      bytes samples;                                                                              \
      memcpy(&samples, filtered + i, sizeof samples);                                             \
      left += samples;                                                                            \
      memcpy(row + i, &left, sizeof left);                                                        \
    }                                                                                             \
  }                                                                                               \
                                                                                                  \
  INLINE void add_mean_##vector(                                                                  \
      const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, size_t size) {   \
    vector left = {0};                                                                            \
    for (size_t i = 0; i < count; i += size) {                                                    \
      left = (load_##vector(filtered + i) + ((left + load_##vector(above + i)) >> 1)) & 255;      \
      store_##vector(left, row + i);                                                              \
    }                                                                                             \
  }                                                                                               \
                                                                                                  \
  INLINE vector nearest_##vector(vector samples, vector left, vector up, vector upper_left) {     \
    const vector slope = up - upper_left, turn = upper_left - 2 * slope;                          \
    const vector first = __builtin_elementwise_min(up, turn) + 1;                                 \
    const vector last = __builtin_elementwise_max(up, turn) - 1;                                  \
    const vector middle = upper_left + ~((slope + (slope >> 15)) >> 1);                           \
    const vector lower = (samples + __builtin_elementwise_min(up, upper_left)) & 255;             \
    const vector upper = (samples + __builtin_elementwise_max(up, upper_left)) & 255;             \
    const vector is_left = (left < first) | (left > last);                                        \
    const vector by_left = (samples + left) & 255;                                                \
    const vector by_other = lower ^ ((lower ^ upper) & (left > middle));                          \
    return (is_left & by_left) | (~is_left & by_other);                                           \
  }                                                                                               \
                                                                                                  \
  INLINE void add_nearest_from_##vector(                                                          \
      vector left, vector upper_left, const uint8_t *filtered, const uint8_t *above, uint8_t *row,\
      size_t count, size_t size) {                                                                \
    for (size_t i = 0; i < count; i += size) {                                                    \
      const vector up = load_##vector(above + i);                                                 \
      left = nearest_##vector(load_##vector(filtered + i), left, up, upper_left);                 \
      store_##vector(left, row + i);                                                              \
      upper_left = up;                                                                            \
    }                                                                                             \
  }                                                                                               \
                                                                                                  \
  INLINE void add_nearest_##vector(                                                               \
      const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, size_t size) {   \
    add_nearest_from_##vector((vector){0}, (vector){0}, filtered, above, row, count, size);       \
  }

DEFINE_FILTERS(four, four_bytes)
DEFINE_FILTERS(eight, eight_bytes)

INLINE eight joined(four low, four high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

INLINE four low_half(eight both) { return __builtin_shufflevector(both, both, 0, 1, 2, 3); }
INLINE four high_half(eight both) { return __builtin_shufflevector(both, both, 4, 5, 6, 7); }

/// Undoes the Paeth filter in two rows, each in one half of a vector.
///
/// The lower row lags by two pixels. The pixel above is therefore known one step early, and within a step the rows do
/// not depend on each other.
INLINE void add_nearest_two(
    const uint8_t *filtered, const uint8_t *filtered_below, const uint8_t *above, uint8_t *row,
    uint8_t *below, size_t count, size_t size) {
  eight before_left = {0}, left = {0}, upper_left = {0};
  const size_t lag = 2 * size;
  for (size_t i = 0; i < count; i += size) {
    const bool is_begun = i >= lag;
    const four samples_below = is_begun ? load_four(filtered_below + i - lag) : (four){0};
    const eight samples = joined(load_four(filtered + i), samples_below);
    const eight up = joined(load_four(above + i), low_half(before_left));
    before_left = left;
    left = nearest_eight(samples, left, up, upper_left);
    upper_left = up;
    store_four(low_half(left), row + i);
    if (is_begun) store_four(high_half(left), below + i - lag);
  }
  const size_t done = count - lag;
  add_nearest_from_four(
      high_half(left), high_half(upper_left), filtered_below + done, row + done, below + done, lag,
      size);
}

static void add_up(
    const uint8_t *filtered, const uint8_t *above, uint8_t *restrict row, size_t count) {
  for (size_t i = 0; i < count; i++) row[i] = (uint8_t)(filtered[i] + above[i]);
}

/// Calls the function with a constant pixel size, so that each size is compiled to a separate loop.
#define FOR_EACH_SIZE(function, ...)                       \
  switch (pixel_size) {                                    \
    case 1: function##_four(__VA_ARGS__, 1); break;        \
    case 2: function##_four(__VA_ARGS__, 2); break;        \
    case 3: function##_four(__VA_ARGS__, 3); break;        \
    case 4: function##_four(__VA_ARGS__, 4); break;        \
    case 6: function##_eight(__VA_ARGS__, 6); break;       \
    default: function##_eight(__VA_ARGS__, 8); break;      \
  }

bool png_unfilter(
    const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, int pixel_size) {
  switch (*filtered++) {
    case 0: memcpy(row, filtered, count); return true;
    case 1: FOR_EACH_SIZE(add_left, filtered, row, count); return true;
    case 2: add_up(filtered, above, row, count); return true;
    case 3: FOR_EACH_SIZE(add_mean, filtered, above, row, count); return true;
    case 4: FOR_EACH_SIZE(add_nearest, filtered, above, row, count); return true;
    default: return false;
  }
}

bool png_unfilter_two(
    const uint8_t *filtered, const uint8_t *above, uint8_t *row, uint8_t *below, size_t count,
    int pixel_size) {
  const uint8_t *filtered_below = filtered + 1 + count;
  if (*filtered++ != 4 || *filtered_below++ != 4) return false;
  if (count < 2 * (size_t)pixel_size) return false;
  switch (pixel_size) {
    case 1: add_nearest_two(filtered, filtered_below, above, row, below, count, 1); return true;
    case 2: add_nearest_two(filtered, filtered_below, above, row, below, count, 2); return true;
    case 3: add_nearest_two(filtered, filtered_below, above, row, below, count, 3); return true;
    case 4: add_nearest_two(filtered, filtered_below, above, row, below, count, 4); return true;
    default: return false;
  }
}
