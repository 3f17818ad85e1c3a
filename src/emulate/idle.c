/* libhopbine_idle.so, preloaded into programs on an emulated cluster: ranks that wait give up their
 * core.
 *
 * MPI libraries poll their sockets without blocking, and call sched_yield() when there was nothing
 * to do. With more ranks than cores that loop decides what a program takes, not the network. Here
 * sched_yield() blocks until a descriptor that was polled last is ready, at most for
 * IDLE_WAIT_US microseconds: a rank that waits needs no core, and none is late. */
#define _GNU_SOURCE
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_SEEN = 512,   /* descriptors: a host has a connection with each other one, 64 at most */
    WAIT_NS = 1000000, /* by default; a rank on another host cannot be later than its message */
    UNKNOWN_WAIT_NS = 20000, /* where nothing was polled: shared memory wakes nobody */
    SLACK_NS = 1000          /* of timers; 50 us by default, longer than a message takes */
};
static __thread struct pollfd seen[MOST_SEEN];
static __thread nfds_t seen_count;
static __thread int found; /* polls since the last yield that found something */
static long wait_ns = -1;

static int count(int ready) {
    found += ready > 0;
    return ready;
}

int poll(struct pollfd *descriptors, nfds_t n, int timeout) {
    if (timeout == 0 && n <= MOST_SEEN) {
        memcpy(seen, descriptors, n * sizeof *descriptors);
        seen_count = n;
    }
    /* aarch64 has this system call alone. */
    struct timespec most = {timeout / 1000, timeout % 1000 * 1000000L};
    return count((int)syscall(SYS_ppoll, descriptors, n, timeout < 0 ? NULL : &most, NULL, 0));
}

/* The name by which programs compiled with _FORTIFY_SOURCE call it. */
int __poll_chk(struct pollfd *descriptors, nfds_t n, int timeout, size_t bytes);
int __poll_chk(struct pollfd *descriptors, nfds_t n, int timeout, size_t bytes) {
    if (bytes / sizeof *descriptors < n) abort();
    return poll(descriptors, n, timeout);
}

/* A descriptor of epoll is ready when one of its own is. */
static void see_epoll(int descriptor, int timeout) {
    if (timeout) return;
    seen[0] = (struct pollfd){.fd = descriptor, .events = POLLIN};
    seen_count = 1;
}

int epoll_wait(int descriptor, struct epoll_event *events, int n, int timeout) {
    see_epoll(descriptor, timeout);
    return count((int)syscall(SYS_epoll_pwait, descriptor, events, n, timeout, NULL, _NSIG / 8));
}

int epoll_pwait(int descriptor, struct epoll_event *events, int n, int timeout,
                const sigset_t *blocked) {
    see_epoll(descriptor, timeout);
    return count((int)syscall(SYS_epoll_pwait, descriptor, events, n, timeout, blocked, _NSIG / 8));
}

static void prepare(void) {
    const char *const given = getenv("IDLE_WAIT_US");
    wait_ns = given ? strtol(given, NULL, 10) * 1000 : WAIT_NS;
    prctl(PR_SET_TIMERSLACK, (unsigned long)SLACK_NS, 0, 0, 0);
}

static int yield(void) {
    if (wait_ns < 0) prepare();
    if (found) { /* the message may be there already: the library is to look before it blocks */
        found = 0;
        return 0;
    }
    struct timespec most = {.tv_nsec = seen_count ? wait_ns : UNKNOWN_WAIT_NS};
    syscall(SYS_ppoll, seen, (long)seen_count, &most, NULL, (long)(_NSIG / 8));
    return 0;
}

int sched_yield(void) { return yield(); }

/* MPICH 4 of PyPI yields by a sleep of one nanosecond, with MPIR_CVAR_ENABLE_HEAVY_YIELD. */
int nanosleep(const struct timespec *asked, struct timespec *left) {
    if (!asked->tv_sec && asked->tv_nsec == 1) return yield();
    return (int)syscall(SYS_nanosleep, asked, left);
}
