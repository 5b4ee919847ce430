#ifndef LQIP_STARTUP_H
#define LQIP_STARTUP_H

#pragma clang assume_nonnull begin

/// Returns the command-line arguments, beginning with the program's name.
///
/// Returns null on systems without glibc. Use Swift's `CommandLine` there.
char *_Nullable *_Nullable lqip_arguments(int *count);

#pragma clang assume_nonnull end

#endif
