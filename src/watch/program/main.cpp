// hopbine-watch: the watcher of a node, which the first of its ranks starts (rendezvous.cpp).
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdio>
#include <exception>

#include "schedule/problem.hpp"
#include "watch/core_set.hpp"
#include "watch/program/first_wait.hpp"
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

/// Leaves what else the rank that has started it has given: its core and its signals.
void become_apart() {
    hopbine::watch::CoreSet all;
    all.add_all();
    all.bind();
    // It never takes a core from a rank when it wakes up. It has its turn like others, or, where it
    // was started so, only the time that they leave.
    const sched_param none{};
    if (sched_getscheduler(0) != SCHED_IDLE) sched_setscheduler(0, SCHED_BATCH, &none);
    sigset_t set;
    sigemptyset(&set);
    sigprocmask(SIG_SETMASK, &set, nullptr);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN);
}

bool listens() {
    int yes = 0;
    socklen_t size = sizeof yes;
    const int given = hopbine::watch::kListening;
    return getsockopt(given, SOL_SOCKET, SO_ACCEPTCONN, &yes, &size) == 0 && yes;
}

}  // namespace

int main([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
    using namespace hopbine::watch;
#ifndef HOPBINE_WATCH_ENTRY
    hopbine_leave_and_wait(argc, argv);
#endif
    become_apart();
    open_many();
    try {
        if (!listens()) throw hopbine::Error("it is started by a rank of a job, with a socket");
        fcntl(kListening, F_SETFL, O_NONBLOCK);
        fcntl(kListening, F_SETFD, FD_CLOEXEC);
        const Clock::time_point began{std::chrono::nanoseconds(hopbine_watch_began)};
        Watcher(Descriptor(kListening), began).run();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "hopbine: watch: the ranks of this node are not watched: %s\n",
                     e.what());
        return 1;
    }
    return 0;
}
