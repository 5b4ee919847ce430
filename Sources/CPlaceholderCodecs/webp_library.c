#ifdef HAS_WEBP

#include "webp_reader.h"

#ifdef __linux__

#include <dlfcn.h>
#include <pthread.h>

static webp_functions functions;
static bool is_loaded;

static void load(void) {
  void *library = dlopen("libwebp.so.7", RTLD_LAZY | RTLD_LOCAL);
#define WEBP_FIND(name) &&(functions.name = (__typeof__(&name))dlsym(library, #name))
  is_loaded = library WEBP_FUNCTIONS(WEBP_FIND);
}

const webp_functions *webp_library(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}

#else

const webp_functions *webp_library(void) {
#define WEBP_ENTRY(name) .name = name,
  static const webp_functions functions = {WEBP_FUNCTIONS(WEBP_ENTRY)};
  return &functions;
}

#endif

#endif
