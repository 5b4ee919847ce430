// Reads the first frame of a GIF image. giflib decodes the file up to the end of that frame; the reader skips the blocks
// after it. No jump crosses a stack frame of giflib, because giflib would leak its memory.

#ifdef HAS_GIF

#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"

// Source: Graphics Interchange Format, version 89a.

enum { COLORS = 256, EXTENSION = 0x21, IMAGE = 0x2C, NO_COLOR = -1 };

typedef struct {
  lqip_codec *codec;
  GifFileType *_Nullable gif;
  /// The error code of `DGifOpen`.
  int open_error;
  /// Whether the codec failed while giflib was reading, and its jump target then.
  bool has_failed;
  jmp_buf read_failed;
  /// The index of the transparent color, or `NO_COLOR`.
  int transparent_index;
  uint8_t colors[COLORS][4];
  /// The number of rows returned.
  uint32_t row_count;
  uint8_t *_Nullable indices;
} gif_reader;

/// Passes the next bytes to giflib. At the end of the file, the size of the next block is zero, which ends the data. A
/// block that is cut off is an error: zeros in place of its bytes would be decoded as pixels.
static int read_bytes(GifFileType *gif, GifByteType *bytes, int count) {
  gif_reader *reader = gif->UserData;
  lqip_codec *codec = reader->codec;
  if (reader->has_failed) return 0;
  size_t consumed = 0;
  codec->failed = &reader->read_failed;
  if (setjmp(reader->read_failed)) {
    reader->has_failed = true;
  } else {
    if (count == 1) *bytes = 0;
    consumed = codec_read(codec, bytes, (size_t)count);
  }
  codec->failed = &codec->entry;
  if (reader->has_failed) return 0;
  return count == 1 ? 1 : (int)consumed;
}

/// Fails for the reason why a function of giflib failed.
_Noreturn static void fail(gif_reader *reader) {
  lqip_codec *codec = reader->codec;
  if (reader->has_failed) longjmp(codec->entry, 1);
  const int error = reader->gif ? reader->gif->Error : reader->open_error;
  // After a failed allocation, giflib may report another error.
  if (error == D_GIF_ERR_NOT_ENOUGH_MEM || lqip_has_allocation_error())
    codec_fail_out_of_memory(codec);
  if (codec->at_end) codec_fail_damaged(codec, "unexpected end of file");
  const char *message = error ? GifErrorString(error) : NULL;
  codec_fail_damaged(codec, message ? message : "no image");
}

// Header

static bool read_extension(gif_reader *reader) {
  GifByteType *block;
  int code;
  if (DGifGetExtension(reader->gif, &code, &block) == GIF_ERROR) return false;
  // The block consists of its length, flags, a 16-bit delay and the transparent index.
  if (code == GRAPHICS_EXT_FUNC_CODE && block && block[0] >= 4)
    reader->transparent_index = block[1] & 1 ? block[4] : NO_COLOR;
  while (block)
    if (DGifGetExtensionNext(reader->gif, &block) == GIF_ERROR) return false;
  return true;
}

/// Reads up to and including the descriptor of the first image; returns false on an error or if there is no image.
static bool read_first_image(gif_reader *reader) {
  lqip_clear_allocation_error();
  reader->gif = DGifOpen(reader, read_bytes, &reader->open_error);
  if (!reader->gif) return false;
  for (;;) {
    GifRecordType type;
    if (DGifGetRecordType(reader->gif, &type) == GIF_ERROR) return false;
    if (type == IMAGE_DESC_RECORD_TYPE)
      return DGifGetImageDesc(reader->gif) != GIF_ERROR;
    if (type != EXTENSION_RECORD_TYPE || !read_extension(reader)) return false;
  }
}

/// Loads the local color table, or else the global one; missing entries are black, as in Chromium.
static void read_colors(gif_reader *reader) {
  const ColorMapObject *own = reader->gif->Image.ColorMap;
  const ColorMapObject *map = own ? own : reader->gif->SColorMap;
  for (int i = 0; i < COLORS; i++) {
    const GifColorType color = map && i < map->ColorCount ? map->Colors[i] : (GifColorType){0};
    const uint8_t alpha = i == reader->transparent_index ? 0 : 255;
    memcpy(reader->colors[i], (uint8_t[]){color.Red, color.Green, color.Blue, alpha}, 4);
  }
}

static uint32_t extended_side(int side, int end) { return (uint32_t)(side < end ? end : side); }

static void open_image(lqip_codec *codec) {
  gif_reader *reader = codec->reader;
  lqip_header *header = &codec->header;
  reader->codec = codec;
  reader->transparent_index = NO_COLOR;
  if (!read_first_image(reader) || codec->at_end) fail(reader);
  const GifImageDesc *frame = &reader->gif->Image;
  if (frame->Width <= 0 || frame->Height <= 0) codec_fail(codec, LQIP_CORRUPT, "no pixels");
  header->width = extended_side(reader->gif->SWidth, frame->Left + frame->Width);
  header->height = extended_side(reader->gif->SHeight, frame->Top + frame->Height);
  codec_check_size(codec, header->width, header->height);
  const bool is_partial =
      (uint32_t)frame->Width < header->width || (uint32_t)frame->Height < header->height;
  header->channels = reader->transparent_index != NO_COLOR || is_partial ? 4 : 3;
  read_colors(reader);
  reader->indices = codec_allocate(codec, NULL, (size_t)frame->Width);
  codec->frame_count = 1;
}

static void close_image(void *memory) {
  gif_reader *reader = memory;
  int error;
  if (reader->gif) DGifCloseFile(reader->gif, &error);
  free(reader->indices);
}

// Rows

/// Converts the index of a row in file order to its position in the frame.
static uint32_t frame_row(const GifImageDesc *frame, uint32_t number) {
  static const uint32_t starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
  if (!frame->Interlace) return number;
  for (int pass = 0;; pass++) {
    const uint32_t y = starts[pass] + number * steps[pass];
    if (y < (uint32_t)frame->Height || pass == 3) return y;
    number -= ((uint32_t)frame->Height + steps[pass] - 1 - starts[pass]) / steps[pass];
  }
}

/// Returns the next byte; 0 at the end of the file.
static uint8_t read_byte(lqip_codec *codec) {
  uint8_t byte = 0;
  codec_read(codec, &byte, 1);
  return byte;
}

static void skip_sub_blocks(lqip_codec *codec) {
  for (uint8_t size; (size = read_byte(codec)) != 0;) codec_read(codec, NULL, size);
}

/// Counts the frames after the first one, without decoding them.
static void count_remaining_frames(lqip_codec *codec) {
  for (uint8_t kind; (kind = read_byte(codec)) == IMAGE || kind == EXTENSION;) {
    uint8_t bytes[9] = {0};
    codec_read(codec, bytes, kind == IMAGE ? sizeof bytes : 1);
    codec->is_incomplete |= codec->at_end;
    if (codec->at_end) break;
    if (kind == IMAGE) {
      codec->leaves_rest = !codec_count_frame(codec);
      if (codec->leaves_rest) break;
      const uint8_t flags = bytes[8];
      if (flags & 0x80) codec_read(codec, NULL, (size_t)3 << ((flags & 7) + 1));
      read_byte(codec);
    }
    skip_sub_blocks(codec);
    // A file may lack its last byte, the trailer.
    codec->is_incomplete |= codec->at_end;
  }
  if (codec->at_end && codec->limits.verifies) codec_damage(codec, "unexpected end of file");
}

/// Reads the next row of the frame to its position in `samples`, a row of the canvas.
static void read_frame_row(gif_reader *reader, uint8_t *samples) {
  const GifImageDesc *frame = &reader->gif->Image;
  const size_t size = (size_t)reader->codec->header.channels;
  lqip_clear_allocation_error();
  if (DGifGetLine(reader->gif, reader->indices, frame->Width) == GIF_ERROR)
    fail(reader);
  codec_expand_indices(
      reader->colors, reader->indices, (uint32_t)frame->Width, 8, size,
      samples + (uint32_t)frame->Left * size);
}

/// Reads the next row of the canvas. Pixels outside the frame are transparent.
static bool read_row(lqip_codec *codec, uint8_t *samples, lqip_row *row) {
  gif_reader *reader = codec->reader;
  const lqip_header *header = &codec->header;
  const GifImageDesc *frame = &reader->gif->Image;
  if (reader->row_count == header->height) {
    count_remaining_frames(codec);
    return false;
  }
  codec_check_deadline(codec);
  const uint32_t y = reader->row_count++, top = (uint32_t)frame->Top;
  const bool is_in_frame = y >= top && y - top < (uint32_t)frame->Height;
  *row = (lqip_row){
      .y = is_in_frame ? top + frame_row(frame, y - top) : y, .step_x = 1, .count = header->width};
  if (!is_in_frame || (uint32_t)frame->Width < header->width)
    memset(samples, 0, header->width * (size_t)header->channels);
  if (is_in_frame) read_frame_row(reader, samples);
  return true;
}

const codec_format gif_format = {sizeof(gif_reader), open_image, read_row, close_image, true};

#endif
