// The state of a PNG reader, and its source of bytes.

#pragma once

#include <png.h>
#include <zlib.h>

#include "png_rows.h"

#pragma clang assume_nonnull begin

enum {
  MAX_CHUNK_SIZE = 4 << 20,
  /// The maximum number of chunks that libpng stores.
  MAX_CACHED_CHUNKS = 16,
  CHUNK_HEADER_SIZE = 8,
  CHECKSUM_SIZE = 4,
  SIGNATURE_SIZE = 8,
  /// The maximum number of bytes read after the last row to find the end of the pixels. They inflate to at most 16 MB.
  MAX_TAIL = 16 << 10,
};

typedef struct {
  lqip_codec *codec;
  png_structp _Nullable png;
  png_infop _Nullable info;
  /// Whether an allocation within the limits has failed.
  bool lacks_memory;
  /// The current pass of an interlaced image, and the number of the next row in the pass.
  int pass;
  uint32_t next_row;
  /// The size and the name of the current chunk.
  uint8_t chunk_header[CHUNK_HEADER_SIZE];
  /// Whether libpng stores the current chunk without interpreting it, and the checksum of its bytes so far. libpng also
  /// stores a damaged chunk, so `damaged_chunks` has a bit for each of the first stored chunks.
  bool is_stored;
  uLong checksum;
  uint32_t stored_count, damaged_chunks;
  /// The number of bytes of the current chunk, or of the signature, that are not read yet, including the checksum.
  uint64_t chunk_left;
  /// Whether libpng receives the fdAT chunks of the first frame instead of the IDAT chunks.
  bool shows_first_frame;
  /// Whether the current chunk is an fdAT chunk, and its checksums as stored and as passed to libpng.
  bool is_frame_data;
  uLong stored_checksum, passed_checksum;
  /// The inflated ICC profile.
  uint8_t *_Nullable profile;
  /// The fast row reader; null if libpng reads the rows.
  png_rows *_Nullable rows;
  /// The number of bytes read after the last row, and the jump target once they exceed `MAX_TAIL`.
  size_t tail;
  jmp_buf tail_ended;
} png_reader;

/// The chunks that libpng stores without interpreting them, each name with a null byte. It would let the order of those
/// that declare a color space decide which of them apply.
#define STORED_CHUNKS "acTL\0cHRM\0cICP\0cLLI\0eXIf\0fcTL\0gAMA\0iCCP\0mDCV\0sRGB"
enum { STORED_NAME_COUNT = sizeof STORED_CHUNKS / 5 };

/// Fails if an allocation has failed. libpng itself reports a failed allocation as damage or ignores it.
void png_check_memory(png_reader *reader);

bool png_is_interlaced(const png_reader *reader);

/// Passes the next bytes to libpng; with `shows_first_frame`, those of the first frame instead of the default image.
void png_read_source(png_structp png, png_bytep bytes, size_t count);

/// Returns whether the fcTL chunk after the default image describes a frame that covers the canvas and has data.
///
/// It reads on from the first header of the default image, so libpng must start again.
bool png_has_complete_frame(png_reader *reader);

#pragma clang assume_nonnull end
