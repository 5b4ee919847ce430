#include "codec_library.h"
#include "lqip_versions.h"

#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// libjpeg's header needs stdio.h.
#include <jpeglib.h>

#ifdef HAS_ISAL
#include <isa-l.h>
#endif
#ifdef HAS_WEBP
#include "webp_library.h"
#endif
#ifdef HAS_GIF
#include "gif_library.h"
#endif

#ifdef CODEC_LOADS_LIBRARIES
atomic_bool codec_loads_libraries = true;
#endif

static int compare(const void *one, const void *other) {
  return *(const uint8_t *)one - *(const uint8_t *)other;
}

/// Sorts enough bytes to make glibc before 2.37 read the amount of physical memory, which it does only once.
static void sort_bytes(void) {
  uint8_t bytes[2048] = {0};
  qsort(bytes, sizeof bytes, 1, compare);
}

void lqip_load_libraries(void) {
#ifdef HAS_WEBP
  webp_library();
#endif
#ifdef HAS_GIF
  gif_library();
#endif
#ifdef CODEC_LOADS_LIBRARIES
  atomic_store(&codec_loads_libraries, false);
#endif
  // lcms2 reads the local time.
  tzset();
  // libwebp sorts when it encodes losslessly.
  sort_bytes();
}

static bool print(char *text, unsigned major, unsigned minor, unsigned patch) {
  snprintf(text, LQIP_VERSION_SIZE, "%u.%u.%u", major, minor, patch);
  return true;
}

#ifdef HAS_WEBP
static bool print_webp(char *text) {
  const webp_functions *webp = webp_library();
  if (!webp) return false;
  const unsigned version = (unsigned)webp->WebPGetDecoderVersion();
  return print(text, version >> 16, version >> 8 & 0xFF, version & 0xFF);
}
#endif

bool lqip_library_version(lqip_library library, char *text) {
  switch (library) {
    case LQIP_LIBJPEG: {
      const unsigned version = LIBJPEG_TURBO_VERSION_NUMBER;
      return print(text, version / 1000000, version / 1000 % 1000, version % 1000);
    }
    case LQIP_LIBPNG: {
      const unsigned version = png_access_version_number();
      return print(text, version / 10000, version / 100 % 100, version % 100);
    }
    case LQIP_ISAL:
#ifdef HAS_ISAL
      return print(text, ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION);
#else
      return false;
#endif
    case LQIP_LIBWEBP:
#ifdef HAS_WEBP
      return print_webp(text);
#else
      return false;
#endif
    case LQIP_GIFLIB:
#ifdef HAS_GIF
      return gif_library() && print(text, GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE);
#else
      return false;
#endif
  }
  return false;
}
