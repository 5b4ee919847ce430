#include <malloc.h>
#include <sched.h>
#include <sys/uio.h>

// Swift imports <sys/uio.h> without its non-POSIX parts, which include preadv2() and RWF_NOWAIT.
ssize_t preadv2(int descriptor, const struct iovec *pieces, int count, off_t offset, int flags);
enum { LQIP_RWF_NOWAIT = 8 };

// The same applies to <sched.h>.
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *processors);
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *processors);
