// What the chunks of a PNG file say of the image, apart from its pixels.

#ifndef PNG_METADATA_H
#define PNG_METADATA_H

#include <png.h>

#include "lqip_png.h"

#pragma clang assume_nonnull begin

/// Finds a chunk that libpng did not interpret; null if there is none.
png_unknown_chunkp _Nullable png_kept_chunk(png_structp png, png_infop info, const char *name);

/// The number in the acTL chunk, LQIP_MAX_FRAMES at most; 0 if there is none.
uint32_t png_frame_count(png_structp png, png_infop info);

/// How the file describes its colors.
lqip_png_color png_color_description(png_structp png, png_infop info);

#pragma clang assume_nonnull end

#endif
