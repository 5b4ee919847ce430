#ifndef LQIP_ENCODER_MODULE_H
#define LQIP_ENCODER_MODULE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Returns the core library as a WebAssembly module in gzip, with its size.
///
/// The size is 0 unless `scripts/check-embedded` had made the module when the program was built.
const uint8_t *lqip_encoder_module(size_t *size);

#pragma clang assume_nonnull end

#endif
