// Loads optional codec libraries at their first use on Linux; links them elsewhere.

#ifndef CODEC_LIBRARY_H
#define CODEC_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __linux__

#include <dlfcn.h>
#include <pthread.h>

#define CODEC_FIND(name) &&(functions.name = (__typeof__(&name))dlsym(library, #name))

/// Defines the function `getter`: it gives a `type` with the functions that `each_of` lists, from a library that
/// is loaded at the first call; null where it is not there.
#define CODEC_LIBRARY(type, getter, file, each_of) \
  static type functions; \
  static bool is_loaded; \
  static void load(void) { \
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL); \
    is_loaded = library each_of(CODEC_FIND); \
  } \
  const type *getter(void) { \
    static pthread_once_t once = PTHREAD_ONCE_INIT; \
    pthread_once(&once, load); \
    return is_loaded ? &functions : NULL; \
  }

#else

#define CODEC_ENTRY(name) .name = name,

/// Defines the function `getter`: it gives a `type` with the functions that `each_of` lists, which are linked.
#define CODEC_LIBRARY(type, getter, file, each_of) \
  const type *getter(void) { \
    static const type functions = {each_of(CODEC_ENTRY)}; \
    return &functions; \
  }

#endif

#endif
