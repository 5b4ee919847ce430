#ifndef DEFERRED_H
#define DEFERRED_H

#ifdef __linux__

/// Finds a function of a library, which is loaded if need be.
void *deferred_function(const char *library, const char *name);

/// The function of that name, looked up once.
#define DEFERRED_FUNCTION(name)                                                        \
  ({                                                                                   \
    static _Atomic(void *) known;                                                      \
    if (!known) known = deferred_function(LIBRARY, #name);                             \
    (__typeof__(&name))known;                                                          \
  })

/// Defines a function that calls the one of the same name in the library.
#define DEFER(result, name, parameters, arguments) \
  result name parameters { return DEFERRED_FUNCTION(name) arguments; }

#endif

#endif
