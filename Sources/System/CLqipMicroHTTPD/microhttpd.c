#include "codec_library.h"
#include "lqip_microhttpd.h"

CODEC_LIBRARY(lqip_mhd_functions, lqip_mhd, "libmicrohttpd.so.12", MHD_FUNCTIONS)

_Thread_local void *lqip_mhd_request;
_Thread_local bool lqip_mhd_lacks_thread;
