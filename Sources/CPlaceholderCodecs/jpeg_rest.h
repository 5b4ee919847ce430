// The bytes of a JPEG that libjpeg has not read yet.

#ifndef JPEG_REST_H
#define JPEG_REST_H

#include "jpeg_reader.h"

#pragma clang assume_nonnull begin

/// The bytes in libjpeg's buffer, followed by bytes read ahead.
typedef struct {
  lqip_codec *codec;
  lqip_bytes bytes;
  size_t ahead;
} jpeg_rest;

jpeg_rest jpeg_rest_of(const lqip_jpeg_reader *reader);

/// Returns whether bytes are left, after reading twice as far ahead if necessary; false at the end of the data or
/// after 16 MB.
bool jpeg_has_more(jpeg_rest *rest);

/// Skips the data of a scan, up to the next marker or the end of the bytes.
void jpeg_skip_data(jpeg_rest *rest);

#pragma clang assume_nonnull end

#endif
