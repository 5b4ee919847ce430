#include <malloc.h>
#include <sched.h>

// Swift imports <sched.h> without its non-POSIX parts.
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *processors);
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *processors);
