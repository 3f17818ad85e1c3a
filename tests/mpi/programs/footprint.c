/* What the kernel knows of a rank after collectives, a line for each fact: threads, signals that
 * are not left to their default, open files, limits, the mask of new files, the folder. Without and
 * with hopbine the lines must be the same. */
#include <dirent.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CALLS = 300, PATH = 4096 };

/* Entries of a folder of /proc, but for those of this walk. */
static int entries(const char *folder) {
    DIR *const d = opendir(folder);
    int n = 0;
    if (!d) abort();
    for (const struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void tell_signals(const char *when) {
    for (int number = 1; number < NSIG; ++number) {
        struct sigaction now;
        if (sigaction(number, NULL, &now)) continue;
        if (now.sa_handler != SIG_DFL || now.sa_flags & SA_SIGINFO)
            printf("%s: signal %d is %s\n", when, number,
                   now.sa_handler == SIG_IGN ? "ignored" : "handled");
    }
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    for (int number = 1; number < NSIG; ++number)
        if (sigismember(&blocked, number) == 1) printf("%s: signal %d is blocked\n", when, number);
}

static void tell_limits(const char *when) {
    for (int which = 0; which < RLIM_NLIMITS; ++which) {
        struct rlimit limit;
        if (!getrlimit(which, &limit))
            printf("%s: limit %d is %llu\n", when, which, (unsigned long long)limit.rlim_cur);
    }
}

static void tell(const char *when) {
    char folder[PATH];
    const mode_t mask = umask(0);
    umask(mask);
    printf("%s: %d threads\n", when, entries("/proc/self/task"));
    printf("%s: %d open files\n", when, entries("/proc/self/fd"));
    printf("%s: new files lose %o\n", when, (unsigned)mask);
    printf("%s: in %s\n", when, getcwd(folder, sizeof folder));
    tell_signals(when);
    tell_limits(when);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < CALLS; ++i) {
        double in[8] = {rank}, out[8];
        MPI_Allreduce(in, out, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(in, 8, MPI_DOUBLE, i % 2, MPI_COMM_WORLD);
    }
    if (rank == 0) tell("after collectives");
    MPI_Finalize();
    if (rank == 0) tell("after MPI_Finalize");
    return 0;
}
