#pragma once

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// A reader that decodes the first frame of a GIF image on its canvas to 8-bit RGB or RGBA.
///
/// The canvas is enlarged if the frame extends beyond it. giflib decodes the file up to the end of the first frame; this
/// reader skips the blocks after it. On Linux, giflib is loaded when the first GIF image is read.
///
/// No `longjmp` crosses a giflib stack frame, because giflib would leak its memory.
typedef struct lqip_gif_reader lqip_gif_reader;

lqip_gif_reader *_Nullable lqip_gif_reader_open(lqip_codec *codec, lqip_header *header);
void lqip_gif_reader_destroy(lqip_gif_reader *reader);

/// Reads the next row; those of an interlaced image are in pass order. The call after the last row counts the frames.
bool lqip_gif_reader_read_row(
    lqip_gif_reader *reader, uint8_t *samples, lqip_row *row, bool *has_row);

#pragma clang assume_nonnull end
