#ifndef DEFERRED_H
#define DEFERRED_H

#ifdef __linux__

/// Returns a function of a library and loads the library if necessary. Exits with status 127 on failure.
void *deferred_function(const char *library, const char *name);

/// The library function `name`, looked up once and cached.
#define DEFERRED_FUNCTION(name)                                                        \
  ({                                                                                   \
    static _Atomic(void *) cached;                                                     \
    if (!cached) cached = deferred_function(LIBRARY, #name);                           \
    (__typeof__(&name))cached;                                                         \
  })

/// Defines a function that forwards to the library function of the same name.
#define DEFER(result, name, parameters, arguments) \
  result name parameters { return DEFERRED_FUNCTION(name) arguments; }

#endif

#endif
