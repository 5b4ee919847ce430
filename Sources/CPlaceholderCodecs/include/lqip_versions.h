#ifndef LQIP_VERSIONS_H
#define LQIP_VERSIONS_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// A codec library.
typedef enum __attribute__((enum_extensibility(closed))) {
  LQIP_LIBJPEG,
  LQIP_LIBPNG,
  LQIP_ISAL,
  LQIP_LIBWEBP,
  LQIP_GIFLIB,
} lqip_library;

enum { LQIP_VERSION_SIZE = 32 };

/// Writes the version of a library, such as "1.6.39", to `LQIP_VERSION_SIZE` bytes at `text`.
///
/// The version is that of the loaded library if it reports one, otherwise that of its headers at build time. An
/// optional library is loaded if necessary. Returns false if the program was built without the library or cannot load
/// it.
bool lqip_library_version(lqip_library library, char *text);

/// Loads every library and the time zone, for a process that cannot open files later. A library that cannot be
/// loaded now is not tried again.
void lqip_load_libraries(void);

#pragma clang assume_nonnull end

#endif
