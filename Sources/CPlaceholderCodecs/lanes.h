// Arithmetic on the samples of adjacent pixels.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma clang assume_nonnull begin

enum { LANES = 4 };

/// The samples of a component in adjacent pixels.
typedef float floats __attribute__((ext_vector_type(LANES)));
typedef int32_t integers __attribute__((ext_vector_type(LANES)));

/// Stores at most `count` pixels, whose samples are the bytes of their lanes, from the least significant.
static inline __attribute__((always_inline)) void store_pixels(
    integers pixels, int channels, size_t count, uint8_t *samples) {
  uint8_t group[LANES * sizeof(int32_t)];
#pragma clang loop unroll(full)
  for (int pixel = 0; pixel < LANES; pixel++)
    for (int channel = 0; channel < channels; channel++)
      group[pixel * channels + channel] = (uint8_t)((uint32_t)pixels[pixel] >> (8 * channel));
  // A constant size makes the copy a few instructions.
  if (count >= LANES)
    memcpy(samples, group, LANES * (size_t)channels);
  else
    memcpy(samples, group, count * (size_t)channels);
}

#pragma clang assume_nonnull end
