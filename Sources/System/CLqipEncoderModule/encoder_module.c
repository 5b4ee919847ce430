#include "lqip_encoder_module.h"

// `#embed` is a C23 extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t module[] = {
#if __has_embed("../../../.build/embedded/all.wasm.gz")
#embed "../../../.build/embedded/all.wasm.gz" suffix(, )
#endif
    0};

const uint8_t *lqip_encoder_module(size_t *size) {
  *size = sizeof module - 1;
  return module;
}
