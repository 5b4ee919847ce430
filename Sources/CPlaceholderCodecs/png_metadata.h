// The metadata of a PNG file.

#ifndef PNG_METADATA_H
#define PNG_METADATA_H

#include <png.h>

#include "lqip_png.h"

#pragma clang assume_nonnull begin

/// Finds a chunk that libpng stores without interpreting it; returns null if the file does not contain it.
png_unknown_chunkp _Nullable png_stored_chunk(png_structp png, png_infop info, const char *name);

/// Returns the number of frames in the acTL chunk, at most `LQIP_MAX_FRAMES`; 0 if the chunk is missing or invalid.
uint32_t png_frame_count(png_structp png, png_infop info);

/// Returns the color information of the file.
lqip_png_color png_color_description(png_structp png, png_infop info);

#pragma clang assume_nonnull end

#endif
