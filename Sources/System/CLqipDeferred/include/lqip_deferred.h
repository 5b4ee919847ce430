#ifndef LQIP_DEFERRED_H
#define LQIP_DEFERRED_H

// This target has no names of its own. On Linux it defines the functions of libarchive and libmicrohttpd
// that the program calls, in place of linking the libraries. Each function loads its library when it is
// called for the first time, and ends the program where that fails, as the system's loader does before a
// program begins.
//
// With the libraries that these two need in turn, such as ICU and GnuTLS, they take longer to load than
// `lqip encode` takes for an image, and it needs neither.

#endif
