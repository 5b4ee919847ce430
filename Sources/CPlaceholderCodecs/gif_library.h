// The giflib functions in use.

#ifndef GIF_LIBRARY_H
#define GIF_LIBRARY_H

#include <gif_lib.h>

#pragma clang assume_nonnull begin

#define GIF_FUNCTIONS(each) \
  each(DGifOpen) each(DGifCloseFile) each(DGifGetRecordType) each(DGifGetImageDesc) \
  each(DGifGetExtension) each(DGifGetExtensionNext) each(DGifGetLine) each(GifErrorString)

typedef struct {
#define GIF_FIELD(name) __typeof__(&name) name;
  GIF_FUNCTIONS(GIF_FIELD)
} gif_functions;

/// Returns the functions of giflib, loading it if necessary; null if it cannot be loaded.
const gif_functions *_Nullable gif_library(void);

#pragma clang assume_nonnull end

#endif
