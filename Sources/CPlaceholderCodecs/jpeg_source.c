#include "jpeg_reader.h"

static void init_source(j_decompress_ptr info) {
  lqip_codec *codec = jpeg_reader_of((j_common_ptr)info)->codec;
  info->src->next_input_byte = codec->next;
  info->src->bytes_in_buffer = codec->available;
}

// The EOI marker at the end of the data makes libjpeg finish with a warning.
boolean jpeg_fill_input_buffer(j_decompress_ptr info) {
  static const JOCTET end_of_image[] = {0xFF, JPEG_EOI};
  lqip_codec *codec = jpeg_reader_of((j_common_ptr)info)->codec;
  if (codec_fill(codec)) {
    init_source(info);
  } else {
    info->src->next_input_byte = end_of_image;
    info->src->bytes_in_buffer = sizeof end_of_image;
    WARNMS(info, JWRN_JPEG_EOF);
  }
  return TRUE;
}

static void skip_input_data(j_decompress_ptr info, long count) {
  struct jpeg_source_mgr *source = info->src;
  while (count > (long)source->bytes_in_buffer) {
    count -= (long)source->bytes_in_buffer;
    jpeg_fill_input_buffer(info);
    if (jpeg_reader_of((j_common_ptr)info)->codec->at_end) return;
  }
  if (count > 0) {
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
  }
}

static void term_source(j_decompress_ptr info) { (void)info; }

void jpeg_set_source(lqip_jpeg_reader *reader) {
  reader->source.init_source = init_source;
  reader->source.fill_input_buffer = jpeg_fill_input_buffer;
  reader->source.skip_input_data = skip_input_data;
  reader->source.resync_to_restart = jpeg_resync_to_restart;
  reader->source.term_source = term_source;
  reader->info.src = &reader->source;
}
