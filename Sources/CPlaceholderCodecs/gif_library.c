#ifdef HAS_GIF

#include "gif_library.h"

#ifdef __linux__

#include <dlfcn.h>
#include <pthread.h>

static gif_functions functions;
static bool is_loaded;

static void load(void) {
  void *library = dlopen("libgif.so.7", RTLD_LAZY | RTLD_LOCAL);
#define GIF_FIND(name) &&(functions.name = (__typeof__(&name))dlsym(library, #name))
  is_loaded = library GIF_FUNCTIONS(GIF_FIND);
}

const gif_functions *gif_library(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}

#else

const gif_functions *gif_library(void) {
#define GIF_ENTRY(name) .name = name,
  static const gif_functions functions = {GIF_FUNCTIONS(GIF_ENTRY)};
  return &functions;
}

#endif

#endif
