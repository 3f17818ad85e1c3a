// hopbine-watch: the watcher of a node, which the first of its ranks starts (rendezvous.cpp).
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "watch/rendezvous.hpp"
#include "watch/watcher.hpp"

namespace {

/// Opens as many files as the system allows: there is one for each rank of the node and, where rank
/// 0 is, for each other node.
void open_many() {
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

/// Leaves what the rank that has started it has given, but for the socket and standard error: its
/// core, its signals, its open files.
void become_apart() {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int core = 0; core < CPU_SETSIZE; ++core) CPU_SET(core, &all);
    sched_setaffinity(0, sizeof all, &all);
    // It never takes a core from a rank when it wakes up. It has its turn like others, or, where it
    // was started so, only the time that they leave.
    const sched_param none{};
    if (sched_getscheduler(0) != SCHED_IDLE) sched_setscheduler(0, SCHED_BATCH, &none);
    sigset_t set;
    sigemptyset(&set);
    sigprocmask(SIG_SETMASK, &set, nullptr);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    close_range(hopbine::watch::kListening + 1, ~0u, 0);
    if (chdir("/") != 0) return;  // no file system stays in use
}

}  // namespace

int main() {
    using namespace hopbine::watch;
    become_apart();
    open_many();
    fcntl(kListening, F_SETFL, O_NONBLOCK);
    fcntl(kListening, F_SETFD, FD_CLOEXEC);
    try {
        Watcher(Descriptor(kListening)).run();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "hopbine: watch: the ranks of this node are not watched: %s\n",
                     e.what());
        return 1;
    }
    return 0;
}
