// The libwebp functions in use.

#pragma once

#include <webp/decode.h>
#include <webp/encode.h>

#pragma clang assume_nonnull begin

#define WEBP_FUNCTIONS(each) \
  each(WebPInitDecoderConfigInternal) each(WebPIDecode) each(WebPIUpdate) \
  each(WebPIDecGetRGB) each(WebPIDelete) each(WebPGetDecoderVersion) \
  each(WebPDecodeRGBAInto) each(WebPConfigInitInternal) \
  each(WebPPictureInitInternal) each(WebPPictureImportRGB) each(WebPPictureImportRGBA) \
  each(WebPPictureSharpARGBToYUVA) each(WebPPictureFree) each(WebPEncode)

typedef struct {
#define WEBP_FIELD(name) __typeof__(&name) name;
  WEBP_FUNCTIONS(WEBP_FIELD)
} webp_functions;

/// Returns the functions of libwebp, loading it if necessary; null if it cannot be loaded.
const webp_functions *_Nullable webp_library(void);

#pragma clang assume_nonnull end
