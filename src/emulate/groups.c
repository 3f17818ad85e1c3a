/* Launchers' warnings that are none: a child that has begun its program already. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Launchers call this in the child and in themselves, whichever is first. Programs begin so fast
 * here that Open MPI 5 is mostly late, which the kernel refuses and the launcher tells. */
int setpgid(pid_t process, pid_t group) {
    const long result = syscall(SYS_setpgid, process, group);
    return result && errno == EACCES && process == group ? 0 : (int)result;
}
