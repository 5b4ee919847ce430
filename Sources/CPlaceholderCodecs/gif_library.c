#ifdef HAS_GIF

#include "gif_library.h"

#include "codec_library.h"

CODEC_LIBRARY(gif_functions, gif_library, "libgif.so.7", GIF_FUNCTIONS)

#endif
