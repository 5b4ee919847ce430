#ifdef HAS_WEBP

#include "webp_library.h"

#include "codec_library.h"

CODEC_LIBRARY(webp_functions, webp_library, "libwebp.so.7", WEBP_FUNCTIONS)

#endif
