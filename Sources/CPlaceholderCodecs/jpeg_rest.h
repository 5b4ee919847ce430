// The bytes of a JPEG after those that libjpeg has read.

#ifndef JPEG_REST_H
#define JPEG_REST_H

#include "jpeg_reader.h"

#pragma clang assume_nonnull begin

/// Bytes that libjpeg holds, then bytes read ahead.
typedef struct {
  lqip_codec *codec;
  lqip_bytes bytes;
  size_t ahead;
} jpeg_rest;

jpeg_rest jpeg_rest_of(const lqip_jpeg_reader *reader);

/// Reads twice as far ahead when the bytes are used up; false at the end, or after 16 MB.
bool jpeg_has_more(jpeg_rest *rest);

/// Skips the data of a scan, up to a marker or to the last of the bytes.
void jpeg_skip_data(jpeg_rest *rest);

#pragma clang assume_nonnull end

#endif
