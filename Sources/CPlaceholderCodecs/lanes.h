// Arithmetic on the samples of adjacent pixels.

#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum { LANES = 4 };

/// The samples of a component in adjacent pixels.
typedef float floats __attribute__((ext_vector_type(LANES)));
typedef int32_t integers __attribute__((ext_vector_type(LANES)));

/// Stores at most `count` pixels, whose samples are the bytes of their lanes, from the least significant.
static inline __attribute__((always_inline)) void store_pixels(
    integers pixels, int channels, size_t count, uint8_t *samples) {
  // Samples gathered in memory first would be loaded before their stores are complete.
#pragma clang loop unroll(full)
  for (size_t pixel = 0; pixel < LANES; pixel++)
    for (int channel = 0; channel < channels && pixel < count; channel++)
      *samples++ = (uint8_t)((uint32_t)pixels[pixel] >> (8 * channel));
}

#pragma clang assume_nonnull end
