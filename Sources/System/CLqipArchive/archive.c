#include "codec_library.h"
#include "lqip_archive.h"

CODEC_LIBRARY(lqip_archive_functions, lqip_archive, "libarchive.so.13", ARCHIVE_FUNCTIONS)
