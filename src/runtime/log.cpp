#include "runtime/log.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>

#include "schedule/bounds.hpp"

namespace hopbine::mpi {

namespace {

/// Relaxed: it is set before the program has calls of its own.
std::atomic<int> log_rank{0};

}  // namespace

void set_log_rank(int rank) { log_rank.store(rank, std::memory_order_relaxed); }

void say(const std::string& what) {
    std::fprintf(stderr, "hopbine: %s\n", printable(what).c_str());
}

void say_rank(const std::string& what) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    say("rank " + std::to_string(log_rank.load(std::memory_order_relaxed)) + " on " + host + ": " +
        what);
}

void say_once(const std::string& what) {
    say_once(what, log_rank.load(std::memory_order_relaxed) == 0);
}

void say_once(const std::string& what, bool here) {
    static std::mutex lock;
    static std::set<std::string> said;
    const std::lock_guard hold(lock);
    if (said.insert(what).second && here) say(what);
}

}  // namespace hopbine::mpi
