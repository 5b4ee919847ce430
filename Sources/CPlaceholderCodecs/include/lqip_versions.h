#ifndef LQIP_VERSIONS_H
#define LQIP_VERSIONS_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// The libraries that decode.
typedef enum __attribute__((enum_extensibility(closed))) {
  LQIP_LIBJPEG,
  LQIP_LIBPNG,
  LQIP_ISAL,
  LQIP_LIBWEBP,
  LQIP_GIFLIB,
} lqip_library;

enum { LQIP_VERSION_SIZE = 32 };

/// Writes the version of a library, such as "1.6.39": of the one that is used where it can tell, else of the one
/// that the program was built with. Those that are loaded at their first use are loaded.
///
/// False where the program was built without the library, or cannot load it.
bool lqip_library_version(lqip_library library, char *text);

/// Loads every library and the time zone, for a process that may open no file later; what is not there now is
/// not looked for again.
void lqip_load_libraries(void);

#pragma clang assume_nonnull end

#endif
