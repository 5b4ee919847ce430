#ifndef LQIP_GIF_H
#define LQIP_GIF_H

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// A reader that decodes the first frame of a GIF image on its canvas, row by row, to 8-bit RGB or RGBA.
///
/// giflib decodes the file up to the end of the first frame; this reader skips the blocks after it. On Linux,
/// giflib is loaded when the first GIF image is read.
///
/// No `longjmp` crosses a giflib stack frame, because giflib would leak its memory. After a function returns false, the
/// codec holds the reason, and the reader can only be destroyed.
typedef struct lqip_gif_reader lqip_gif_reader;

/// Creates a reader, which the codec must outlive.
lqip_gif_reader *_Nullable lqip_gif_reader_create(lqip_codec *codec);
void lqip_gif_reader_destroy(lqip_gif_reader *reader);

/// Reads the header and checks the size of the canvas. The samples are RGB or RGBA.
///
/// The canvas is enlarged if the first frame extends beyond it.
bool lqip_gif_reader_read_header(lqip_gif_reader *reader, lqip_header *header);

/// Reads the next row, and stores its position in `y`. The rows of an interlaced image are in pass order.
///
/// After the last row, the call reads the rest of the file and sets `has_row` to false. In a lenient decode,
/// `has_row` is also false at the end of truncated data. Do not call the function again once `has_row` is false.
bool lqip_gif_reader_read_row(lqip_gif_reader *reader, uint8_t *row, uint32_t *y, bool *has_row);

/// Returns the number of frames found so far, at most `LQIP_MAX_FRAMES`.
uint32_t lqip_gif_reader_frame_count(const lqip_gif_reader *reader);

#pragma clang assume_nonnull end

#endif
