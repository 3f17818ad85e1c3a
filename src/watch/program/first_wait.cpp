#include "watch/program/first_wait.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>

#include "watch/rendezvous.hpp"
#include "watch/system_call.hpp"

using hopbine::watch::system_call;
using hopbine::watch::word;

// Nothing here may call the C library, nor be compiled to: it has not begun yet.

#if defined(HOPBINE_WATCH_ENTRY) && defined(__x86_64__)
asm(R"(
    .text
    .globl hopbine_watch_entry
    .type hopbine_watch_entry, @function
hopbine_watch_entry:
    mov %rdx, %r12
    mov (%rsp), %rdi
    lea 8(%rsp), %rsi
    call hopbine_leave_and_wait
    mov %r12, %rdx
    jmp _start
)");
#elif defined(HOPBINE_WATCH_ENTRY) && defined(__aarch64__)
asm(R"(
    .text
    .globl hopbine_watch_entry
    .type hopbine_watch_entry, %function
hopbine_watch_entry:
    mov x19, x0
    ldr x0, [sp]
    add x1, sp, #8
    bl hopbine_leave_and_wait
    mov x0, x19
    b _start
)");
#endif

std::int64_t hopbine_watch_began = 0;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000, kMillisecond = 1'000'000;

std::int64_t time_of(clockid_t clock) {
    timespec now{};
    system_call(SYS_clock_gettime, clock, word(&now));
    return now.tv_sec * kSecond + now.tv_nsec;
}

std::int64_t number_in(const char* text) {
    std::int64_t out = 0;
    for (; *text >= '0' && *text <= '9'; ++text) out = 10 * out + (*text - '0');
    return out;
}

void leave_files() {
    const long nothing = system_call(SYS_openat, AT_FDCWD, word("/dev/null"), O_RDWR);
    system_call(SYS_dup3, nothing, STDIN_FILENO, 0);
    system_call(SYS_dup3, nothing, STDOUT_FILENO, 0);
    system_call(SYS_close_range, hopbine::watch::kListening + 1, ~0u, 0);
    system_call(SYS_chdir, word("/"));  // no file system stays in use
}

}  // namespace

void hopbine_leave_and_wait(long argc, char** argv) {
    hopbine_watch_began = time_of(CLOCK_MONOTONIC);
    leave_files();
    if (argc < 3) return;
    const std::int64_t apart = number_in(argv[2]) * kMillisecond;
    pollfd rank{};
    rank.fd = static_cast<int>(system_call(SYS_pidfd_open, number_in(argv[1]), 0));
    rank.events = POLLIN;
    const bool waits = rank.fd >= 0 && apart > 0;
    const std::int64_t left = waits ? apart - time_of(CLOCK_REALTIME) % apart : 0;
    timespec wait{};
    wait.tv_sec = left / kSecond;
    wait.tv_nsec = left % kSecond;
    // Right before the wait, for which it may need a core. Not after it: what a process has used
    // lately counts as load of its core, from which ranks would be moved 50 ms later.
    const sched_param no_priority{};
    system_call(SYS_sched_setscheduler, 0, SCHED_IDLE, word(&no_priority));
    if (!waits) return;
    system_call(SYS_ppoll, word(&rank), 1, word(&wait));
    system_call(SYS_close, rank.fd);
}
