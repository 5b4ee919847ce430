// Calls a C library through a table of its functions.
//
// On Linux, the library is loaded on first use, so that it does not slow down the start of the process. On other
// systems and in a static program, which defines LQIP_LINKED, it is linked.

#pragma once

#include <stdbool.h>
#include <stddef.h>

#if defined(__linux__) && !defined(LQIP_LINKED)
#define CODEC_LOADS_LIBRARIES

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

/// Whether libraries may still be loaded; false after `lqip_load_libraries`.
extern atomic_bool codec_loads_libraries;

#define CODEC_FIND(name) (functions.name = (__typeof__(&name))dlsym(library, #name)) &&

/// Defines the function `getter`, which returns a `type` with the functions that `each_of` lists.
///
/// The first call loads the library. If that fails, `getter` returns null, and the next call tries again.
#define CODEC_LIBRARY(type, getter, file, each_of) \
  const type *getter(void) { \
    static type functions; \
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; \
    static atomic_bool is_loaded; \
    if (!atomic_load(&is_loaded) && atomic_load(&codec_loads_libraries)) { \
      pthread_mutex_lock(&lock); \
      if (!atomic_load(&is_loaded)) { \
        void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL); \
        const bool has_all = library && each_of(CODEC_FIND) true; \
        if (library && !has_all) dlclose(library); \
        atomic_store(&is_loaded, has_all); \
      } \
      pthread_mutex_unlock(&lock); \
    } \
    return atomic_load(&is_loaded) ? &functions : NULL; \
  }

#else

#define CODEC_ENTRY(name) .name = name,

/// Defines the function `getter`, which returns a `type` with the linked functions that `each_of` lists.
#define CODEC_LIBRARY(type, getter, file, each_of) \
  const type *getter(void) { \
    static const type functions = {each_of(CODEC_ENTRY)}; \
    return &functions; \
  }

#endif
