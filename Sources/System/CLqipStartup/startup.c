// The command-line arguments, and replacements for startup code in the static program.

#include "lqip_startup.h"

// Defines __GLIBC__.
#include <stdlib.h>

static int argument_count;
static char **arguments;

#ifdef __GLIBC__
// Source: the GNU C library, elf/dl-init.c. Constructors receive the arguments of main().
__attribute__((constructor)) static void store_arguments(int count, char **words) {
  argument_count = count;
  arguments = words;
}
#endif

char **lqip_arguments(int *count) {
  *count = argument_count;
  return arguments;
}

#ifdef LQIP_LINKED
// Replacements for functions of the Swift runtime and the C library in the static program. The originals read /proc at
// startup, and those of Swift abort if it is not mounted. A static link uses these definitions because the linker reads
// object files before archives.

// Source: CommandLine.cpp of the runtime, which parses /proc/self/maps to find the arguments.
char **_swift_stdlib_getUnsafeArgvArgc(int *count) { return lqip_arguments(count); }
void _swift_stdlib_overrideUnsafeArgvArgc(char **words, int count) { (void)words, (void)count; }

// Source: Paths.cpp of the runtime, which searches for swift-backtrace next to the program.
const char *swift_getRuntimeLibraryPath(void) { return NULL; }
const char *swift_getRootPath(void) { return NULL; }
char *swift_copyAuxiliaryExecutablePath(const char *name) { return (void)name, NULL; }

#ifdef __GLIBC__
// Source: the GNU C library, elf/dl-origin.c, which reads /proc/self/exe. Only shared libraries need the path.
const char *_dl_get_origin(void) { return (const char *)-1; }
#endif

#endif
