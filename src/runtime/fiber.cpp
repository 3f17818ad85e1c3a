#include "runtime/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <utility>

namespace hopbine::mpi {

namespace {

/// As large as the stack of a program's thread usually is: Open MPI's progress runs operations of
/// the program, of reductions that it serves itself, wherever it is called.
constexpr std::size_t kStackBytes = 8 << 20;

std::size_t page() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

thread_local Fiber* running = nullptr;

/// Not inline, so that no address of a thread's variable is kept while another thread takes over.
[[gnu::noinline]] Fiber* exchange_running(Fiber* fiber) { return std::exchange(running, fiber); }

}  // namespace

Fiber::Fiber() {
    void* const all = mmap(nullptr, page() + kStackBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    mprotect(all, page(), PROT_NONE);
    stack_ = static_cast<char*>(all);
    own_sanitized_.own(stack_ + page(), kStackBytes);
}

Fiber::~Fiber() {
    own_sanitized_.end();
    munmap(stack_, page() + kStackBytes);
}

void Fiber::begin(Function function, void* argument) {
    body_ = {function, argument};
    ended_ = false;
    own_sanitized_.restart();
    own_.begin(stack_ + page(), kStackBytes, run);
}

bool Fiber::resume(bool anything) {
    while (!ended_) {
        if (outside_.function && !anything) return false;
        if (const Work work = std::exchange(outside_, {}); work.function)
            work.function(work.argument);
        Fiber* const before = exchange_running(this);
        thread_sanitized_.of_thread();
        thread_sanitized_.leave(own_sanitized_, false);
        thread_.switch_to(own_);
        thread_sanitized_.arrive(own_sanitized_);
        exchange_running(before);
        if (!outside_.function) break;
    }
    return ended_;
}

void Fiber::run() {
    Fiber& self = *current();
    self.own_sanitized_.arrive(self.thread_sanitized_);
    self.body_.function(self.body_.argument);
    self.ended_ = true;
    self.leave();
    __builtin_unreachable();
}

void Fiber::leave() {
    own_sanitized_.leave(thread_sanitized_, ended_);
    own_.switch_to(thread_);
    own_sanitized_.arrive(thread_sanitized_);
}

void Fiber::suspend() { leave(); }

void Fiber::run_outside(Function function, void* argument) {
    outside_ = {function, argument};
    leave();
}

[[gnu::noinline]] Fiber* Fiber::current() { return running; }

}  // namespace hopbine::mpi
