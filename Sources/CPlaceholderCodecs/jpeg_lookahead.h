// Parses the bytes that libjpeg has not read yet, without consuming them.

#ifndef JPEG_LOOKAHEAD_H
#define JPEG_LOOKAHEAD_H

#include "jpeg_reader.h"

#pragma clang assume_nonnull begin

/// The bytes in libjpeg's buffer, followed by bytes read ahead.
typedef struct {
  lqip_codec *codec;
  /// The bytes in memory that are not parsed yet.
  lqip_bytes bytes;
  /// The number of bytes read ahead.
  size_t ahead;
} jpeg_lookahead;

jpeg_lookahead jpeg_lookahead_of(const lqip_jpeg_reader *reader);

/// Reads ahead if `bytes` is empty; returns false at the end of the data or after 16 MB.
///
/// Each time it reads ahead, the total number of bytes read ahead doubles.
bool jpeg_has_more(jpeg_lookahead *lookahead);

/// Skips the data of a scan, up to the next marker or the end of `bytes`.
void jpeg_skip_scan_data(jpeg_lookahead *lookahead);

#pragma clang assume_nonnull end

#endif
