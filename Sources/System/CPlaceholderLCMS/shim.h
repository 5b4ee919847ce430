#include <lcms2.h>

// lcms2 defines pixel formats as function-like macros, which Swift cannot import.
static const cmsUInt32Number lqip_lcms_rgb8 = TYPE_RGB_8;
static const cmsUInt32Number lqip_lcms_rgba8 = TYPE_RGBA_8;
static const cmsUInt32Number lqip_lcms_cmyk8 = TYPE_CMYK_8;
