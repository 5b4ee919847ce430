#include "deferred.h"

#ifdef __linux__

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *deferred_function(const char *library, const char *name) {
  // Calling dlopen() again for a loaded library returns the same handle.
  void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  void *function = handle ? dlsym(handle, name) : NULL;
  if (function) return function;
  fprintf(stderr, "lqip: %s\n", dlerror());
  _Exit(127);
}

#endif
