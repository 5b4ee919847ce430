#ifndef LQIP_DEFERRED_H
#define LQIP_DEFERRED_H

// On Linux, this target loads libarchive and libmicrohttpd on first use instead of linking them. It declares
// no API of its own: it defines the functions of both libraries that lqip calls, under their original names.
// If a library cannot be loaded, the program prints the error of the dynamic linker and exits.
//
// Loading both libraries and their dependencies (such as ICU and GnuTLS) takes longer than encoding an image.
// `lqip encode` needs neither for image files.

#endif
