// Runs a program several times. Prints the total user and system time in microseconds, and the largest peak
// memory of a run in bytes. Discards the program's output.
// Usage: measure RUNS PROGRAM [ARGUMENT]...
//
// This is a separate program, because the peak memory that Linux reports for a child includes the memory of the
// parent at the fork: a child of Python never appears to use less memory than Python.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long long microseconds(struct timeval time) { return time.tv_sec * 1000000LL + time.tv_usec; }

int main(int count, char **arguments) {
  if (count < 3) return 2;
  long long user = 0, system = 0, peak = 0;
  for (int runs = atoi(arguments[1]); runs > 0; runs--) {
    pid_t child = fork();
    if (child == 0) {
      dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
      execvp(arguments[2], arguments + 2);
      _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child || status != 0) {
      fprintf(stderr, "measure: %s failed\n", arguments[2]);
      return 1;
    }
    user += microseconds(usage.ru_utime);
    system += microseconds(usage.ru_stime);
#ifdef __APPLE__
    long long bytes = usage.ru_maxrss;
#else
    long long bytes = usage.ru_maxrss * 1024LL;
#endif
    if (bytes > peak) peak = bytes;
  }
  printf("%lld %lld %lld\n", user, system, peak);
}
