#ifdef HAS_WEBP

#include "codec_library.h"
#include "webp_reader.h"

CODEC_LIBRARY(webp_functions, webp_library, "libwebp.so.7", WEBP_FUNCTIONS)

#endif
