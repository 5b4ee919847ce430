// Replacements for functions of the Swift runtime in the static program.
//
// The originals read /proc at startup, and abort if it is not mounted. A static link uses these definitions because the
// linker reads object files before archives.

#ifdef LQIP_LINKED

#include "lqip_process.h"

#include <stddef.h>

// Source: CommandLine.cpp of the runtime, which parses /proc/self/maps to find the arguments.
char **_swift_stdlib_getUnsafeArgvArgc(int *count) { return lqip_arguments(count); }
void _swift_stdlib_overrideUnsafeArgvArgc(char **words, int count) { (void)words, (void)count; }

// Source: Paths.cpp of the runtime, which searches for swift-backtrace next to the program.
const char *swift_getRuntimeLibraryPath(void) { return NULL; }
const char *swift_getRootPath(void) { return NULL; }
char *swift_copyAuxiliaryExecutablePath(const char *name) { return (void)name, NULL; }

#endif
