#include "png_filters.h"

#include <string.h>

// A pixel's samples lie side by side in a vector, of four or of eight. A smaller pixel leaves some of
// them unused: what they hold is overwritten by the next pixel.

typedef uint8_t four_bytes __attribute__((vector_size(4)));
typedef uint8_t eight_bytes __attribute__((vector_size(8)));
typedef int16_t four __attribute__((vector_size(8)));
typedef int16_t eight __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))

/// The functions for pixels in one type of vector, with 16 bits a sample.
///
/// `add_nearest` is Paeth's filter, turned around so that little is left to do once the pixel to the left
/// is known. Its predictor is the one of left, up and upper left that is nearest to their
/// `left + up - upper_left`. As a function of left alone this is left itself up to the lesser of up and
/// `turn` and from the greater of them on; in between it is the lesser of the other two up to `middle`,
/// and then the greater.
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
  INLINE void add_nearest_##vector(                                                               \
      const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, size_t size) {   \
    vector left = {0}, upper_left = {0};                                                          \
    for (size_t i = 0; i < count; i += size) {                                                    \
      const vector samples = load_##vector(filtered + i), up = load_##vector(above + i);          \
      const vector slope = up - upper_left, turn = upper_left - 2 * slope;                        \
      const vector first = __builtin_elementwise_min(up, turn) + 1;                               \
      const vector last = __builtin_elementwise_max(up, turn) - 1;                                \
      const vector middle = upper_left + ~((slope + (slope >> 15)) >> 1);                         \
      const vector lower = (samples + __builtin_elementwise_min(up, upper_left)) & 255;           \
      const vector upper = (samples + __builtin_elementwise_max(up, upper_left)) & 255;           \
      const vector is_left = (left < first) | (left > last);                                      \
      const vector by_left = (samples + left) & 255;                                              \
      const vector by_other = lower ^ ((lower ^ upper) & (left > middle));                        \
      left = (is_left & by_left) | (~is_left & by_other);                                         \
      store_##vector(left, row + i);                                                              \
      upper_left = up;                                                                            \
    }                                                                                             \
  }

DEFINE_FILTERS(four, four_bytes)
DEFINE_FILTERS(eight, eight_bytes)

static void add_up(
    const uint8_t *filtered, const uint8_t *above, uint8_t *restrict row, size_t count) {
  for (size_t i = 0; i < count; i++) row[i] = (uint8_t)(filtered[i] + above[i]);
}

/// Gives each size of pixels a loop of its own.
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
