#include "png_metadata.h"

#include <string.h>

png_unknown_chunkp png_stored_chunk(png_structp png, png_infop info, const char *name) {
  png_unknown_chunkp chunks;
  int count = png_get_unknown_chunks(png, info, &chunks);
  for (int i = 0; i < count; i++)
    if (memcmp(chunks[i].name, name, 4) == 0) return &chunks[i];
  return NULL;
}

uint32_t png_frame_count(png_structp png, png_infop info) {
  enum { SIZE = 8 };
  const png_unknown_chunkp control = png_stored_chunk(png, info, "acTL");
  if (!control || control->size != SIZE) return 0;
  const uint32_t count = png_get_uint_32(control->data);
  return count < LQIP_MAX_FRAMES ? count : LQIP_MAX_FRAMES;
}

lqip_png_color png_color_description(png_structp png, png_infop info) {
  lqip_png_color color = {0};
  png_charp name;
  png_bytep profile;
  png_uint_32 size;
  int method;
  if (png_get_iCCP(png, info, &name, &method, &profile, &size))
    color.icc_profile = (lqip_bytes){profile, size};
  const png_unknown_chunkp coding = png_stored_chunk(png, info, "cICP");
  color.has_coding = coding && coding->size == sizeof color.coding;
  if (color.has_coding) memcpy(color.coding, coding->data, sizeof color.coding);
  color.has_srgb = png_get_sRGB(png, info, &method) != 0;
  color.has_gamma = png_get_gAMA(png, info, &color.gamma) != 0;
  color.has_chromaticities = png_get_cHRM(
      png, info, &color.white[0], &color.white[1], &color.red[0], &color.red[1],
      &color.green[0], &color.green[1], &color.blue[0], &color.blue[1]) != 0;
  return color;
}
