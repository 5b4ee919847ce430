#include <malloc.h>
#include <sys/uio.h>

// Swift's own import of <sys/uio.h> is without what is not in POSIX: the function, and RWF_NOWAIT.
ssize_t preadv2(int descriptor, const struct iovec *pieces, int count, off_t offset, int flags);
enum { LQIP_RWF_NOWAIT = 8 };
