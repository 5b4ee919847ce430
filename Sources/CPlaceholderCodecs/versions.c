#include "codec_library.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// libjpeg's header needs stdio.h.
#include <jpeglib.h>

#ifdef HAS_ISAL
#include <isa-l.h>
#endif

#ifdef HAS_WEBP
#include <webp/decode.h>
#endif

#ifdef HAS_GIF
#include <gif_lib.h>
#endif

#include "codec.h"
#include "tile.h"

#ifdef CODEC_LOADS_LIBRARIES
atomic_bool codec_loads_libraries = true;
#endif

static int compare(const void *one, const void *other) {
  return *(const uint8_t *)one - *(const uint8_t *)other;
}

/// Sorts enough bytes to make glibc before 2.37 read the amount of physical memory, which it does only once.
static void sort_bytes(void) {
  uint8_t bytes[2][1024] = {{0}};
  qsort(bytes, 2, sizeof *bytes, compare);
}

void lqip_load_libraries(bool has_tiles) {
  if (has_tiles) {
    lqip_library_version(LQIP_DAV1D);
    lqip_library_version(LQIP_LIBDE265);
  }
#ifdef CODEC_LOADS_LIBRARIES
  atomic_store(&codec_loads_libraries, false);
#endif
  // lcms2 reads the local time.
  tzset();
  // libwebp sorts when it encodes losslessly.
  sort_bytes();
}

uint32_t lqip_library_version(lqip_library library) {
  switch (library) {
    case LQIP_LIBJPEG: {
      const uint32_t version = LIBJPEG_TURBO_VERSION_NUMBER;
      return version / 1000000 << 16 | version / 1000 % 1000 << 8 | version % 1000;
    }
    case LQIP_LIBPNG: {
      const uint32_t version = png_access_version_number();
      return version / 10000 << 16 | version / 100 % 100 << 8 | version % 100;
    }
#ifdef HAS_ISAL
    case LQIP_ISAL:
      return ISAL_MAJOR_VERSION << 16 | ISAL_MINOR_VERSION << 8 | ISAL_PATCH_VERSION;
#endif
#ifdef HAS_WEBP
    case LQIP_LIBWEBP: return (uint32_t)WebPGetDecoderVersion();
#endif
#ifdef HAS_GIF
    case LQIP_GIFLIB: return GIFLIB_MAJOR << 16 | GIFLIB_MINOR << 8 | GIFLIB_RELEASE;
#endif
#ifdef HAS_AVIF
    case LQIP_DAV1D: return dav1d_library_version();
#endif
#ifdef HAS_HEIC
    case LQIP_LIBDE265: return de265_library_version();
#endif
    default: return 0;
  }
}
