// The functions of giflib that are used.

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

/// The functions, from a library that is loaded if need be; null where it is not there.
const gif_functions *_Nullable gif_library(void);

#pragma clang assume_nonnull end

#endif
