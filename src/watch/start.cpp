#include "watch/start.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "schedule/problem.hpp"
#include "watch/rendezvous.hpp"

namespace hopbine::watch {

namespace {

/// What the two processes are told. They run in this one's memory, which waits for them.
struct Start {
    const char* program;
    int listening, failed = 0;
    char** environment;
    char* stack;
};
constexpr std::size_t kStack = 64 << 10;
constexpr int kNoSignal = 0;  ///< at its end, so that the program's wait() does not see it either

/// The second process: becomes the watcher.
int become(void* told) {
    auto& start = *static_cast<Start*>(told);
    char* const words[] = {const_cast<char*>(start.program), nullptr};
    ::setsid();
    // dup2 of a descriptor to itself would leave that to be closed.
    if (start.listening == kListening)
        ::fcntl(kListening, F_SETFD, 0);
    else if (::dup2(start.listening, kListening) < 0)
        ::_exit(start.failed = errno);
    ::execve(start.program, words, start.environment);
    ::_exit(start.failed = errno);
}

/// The first process: it ends at once, so that the second is none of the program's children.
int step_between(void* told) {
    auto& start = *static_cast<Start*>(told);
    if (::clone(become, start.stack + kStack, CLONE_VM | CLONE_VFORK | kNoSignal, told) < 0)
        start.failed = errno;
    ::_exit(0);
}

}  // namespace

void start_watcher(const std::string& program, int listening) {
    std::vector<char> stacks(2 * kStack);
    const char* const path = std::getenv("PATH");
    std::string search = std::string("PATH=") + (path ? path : "/usr/bin:/bin");
    char* environment[] = {search.data(), nullptr};
    Start start{program.c_str(), listening, 0, environment, stacks.data()};
    const int process = ::clone(step_between, stacks.data() + 2 * kStack,
                                CLONE_VM | CLONE_VFORK | kNoSignal, &start);
    if (process < 0) start.failed = errno;
    while (process > 0 && ::waitpid(process, nullptr, __WALL) < 0 && errno == EINTR) continue;
    if (start.failed) throw Error(program + " cannot be started: " + std::strerror(start.failed));
}

}  // namespace hopbine::watch
