#include "watch/start.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "schedule/problem.hpp"
#include "watch/core_set.hpp"
#include "watch/rendezvous.hpp"
#include "watch/system_call.hpp"

extern "C" int __clone(int (*)(void*), void*, int, void*, ...);  // the C library's own

namespace hopbine::watch {

namespace {

/// What the two processes are told, and their stacks. They run in this one's memory, the second
/// beside it until it has become the watcher: so this stays, and is used once.
struct Start {
    std::string program, search, rank, apart;
    char *words[4] = {}, *environment[2] = {};
    int listening = -1, failed = 0;
    CoreSet cores;  ///< of the rank
    bool stays = false;
    char stack[2][16 << 10];
    char* end_of(int which) { return stack[which] + sizeof stack[which]; }
};
constexpr int kNoSignal = 0;  ///< at its end, so that the program's wait() does not see it either
/// The second process's. Valgrind runs what has all three, as it does threads, and ends at
/// CLONE_VM alone.
constexpr int kBeside = CLONE_VM | CLONE_FS | CLONE_FILES | kNoSignal;

/// The second process: becomes the watcher. What the C library keeps for this thread, errno among
/// it, is the rank's, which goes on meanwhile: so it does without.
int become(void* told) {
    auto& start = *static_cast<Start*>(told);
    // Not a session, of which Linux may make a group whose load is that of all ranks together
    // (autogroup).
    system_call(SYS_setpgid, 0, 0);
    if (const std::string_view cores = start.cores.bytes(); start.stays)
        system_call(SYS_sched_setaffinity, 0, static_cast<long>(cores.size()), word(cores.data()));
    // dup3 of a descriptor to itself is none, and that would be closed.
    if (start.listening == kListening)
        system_call(SYS_fcntl, kListening, F_SETFD, 0);
    else
        system_call(SYS_dup3, start.listening, kListening, 0);
    system_call(SYS_execve, word(start.words[0]), word(start.words), word(start.environment));
    for (;;) system_call(SYS_exit_group, 1);
}

/// The first process: it ends at once, so that the second is none of the program's children. It
/// does not wait for that, which may have no core before a rank gives one up.
int step_between(void* told) {
    auto& start = *static_cast<Start*>(told);
    if (::__clone(become, start.end_of(1), kBeside, told) < 0) start.failed = errno;
    for (;;) system_call(SYS_exit_group, 0);
}

/// Keeps this thread and the processes that it starts on one core. A rank that waits for a process
/// is woken up on that one's core. Where ranks share cores, three then had one of two for the whole
/// of a short job (docs/watch.md). Returns whether it does; `before`: the cores until then.
bool stay_on_core(CoreSet& before) {
    const int core = ::sched_getcpu();
    if (core < 0 || !before.read()) return false;
    CoreSet one;
    one.add(core);
    return one.bind();
}

[[noreturn]] void fail(const std::string& program, int error) {
    throw Error(program + " cannot be started: " + std::strerror(error));
}

}  // namespace

void start_watcher(const std::string& program, int listening, double apart) {
    static Start& start = *new Start;
    if (start.listening >= 0) throw Error(program + " has ended at its start");
    if (::access(program.c_str(), X_OK) != 0) fail(program, errno);
    const char* const path = std::getenv("PATH");
    start.program = program;
    start.search = std::string("PATH=") + (path ? path : "/usr/bin:/bin");
    start.words[0] = start.program.data();
    if (apart > 0) {
        start.rank = std::to_string(::getpid());
        start.apart = std::to_string(std::lround(1000 * apart));
        start.words[1] = start.rank.data();
        start.words[2] = start.apart.data();
    }
    start.environment[0] = start.search.data();
    start.listening = listening;
    sigset_t all, before;  // a handler of the program's would run in this memory too
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    start.stays = stay_on_core(start.cores);
    const int process =
        ::__clone(step_between, start.end_of(0), CLONE_VM | CLONE_VFORK | kNoSignal, &start);
    if (process < 0) start.failed = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    while (process > 0 && ::waitpid(process, nullptr, __WALL) < 0 && errno == EINTR) continue;
    if (start.stays) start.cores.bind();
    if (start.failed) fail(program, start.failed);
}

}  // namespace hopbine::watch
