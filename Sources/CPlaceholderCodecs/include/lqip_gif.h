#ifndef LQIP_GIF_H
#define LQIP_GIF_H

#include "lqip_codec.h"

#pragma clang assume_nonnull begin

/// Reads the first frame of a GIF image on its canvas, row by row, as 8-bit RGB with or without alpha.
///
/// Blocks up to its rows are read by giflib, which on Linux is loaded when the first image of this kind is
/// read; those behind them are passed over here.
///
/// giflib's own calls are never jumped out of, so that it loses no memory. A false result leaves the reason
/// in the codec; the reader is then good for nothing but destroying.
typedef struct lqip_gif_reader lqip_gif_reader;

/// The codec must outlive the reader.
lqip_gif_reader *_Nullable lqip_gif_reader_create(lqip_codec *codec);
void lqip_gif_reader_destroy(lqip_gif_reader *reader);

/// Reads up to the rows and checks the size of the canvas, whose samples are RGB or RGBA.
///
/// A canvas is enlarged where the first frame reaches out of it.
bool lqip_gif_reader_read_header(lqip_gif_reader *reader, lqip_header *header);

/// Reads the next row, of an interlaced image in the order of its passes.
///
/// `has_row` is false after the last one, when the rest of the file was read, and in a lenient decode where
/// the data ends; it is not to be called again then.
bool lqip_gif_reader_read_row(lqip_gif_reader *reader, uint8_t *row, uint32_t *y, bool *has_row);

/// How many frames have begun up to here; `LQIP_MAX_FRAMES` stands for more too.
uint32_t lqip_gif_reader_frame_count(const lqip_gif_reader *reader);

#pragma clang assume_nonnull end

#endif
