#include "mpi/progress/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <utility>

#include "mpi/progress/sanitized_stack.hpp"
#include "mpi/progress/switch_stack.hpp"

#if defined(__x86_64__) && !defined(HOPBINE_UCONTEXT)
asm(R"(
.pushsection .text
.hidden hopbine_switch_stack
.globl hopbine_switch_stack
.type hopbine_switch_stack, @function
hopbine_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    subq $8, %rsp
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size hopbine_switch_stack, .-hopbine_switch_stack
.popsection
)");
#endif

namespace hopbine::mpi {

namespace {

/// A reduction or a datatype engine of an MPI library, and what it calls of a network's library,
/// stay far below.
constexpr std::size_t kStackBytes = 1 << 20;

std::size_t page() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

thread_local Fiber* running = nullptr;

/// Not inline, so that no address of a thread's variable is kept while another thread takes over.
[[gnu::noinline]] Fiber* exchange_running(Fiber* fiber) { return std::exchange(running, fiber); }

}  // namespace

struct Fiber::Context {
    Stack own, thread;
    SanitizedStack own_sanitized, thread_sanitized;
};

Fiber::Fiber() {
    void* const all = mmap(nullptr, page() + kStackBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    mprotect(all, page(), PROT_NONE);
    stack_ = static_cast<char*>(all);
    context_ = new (std::nothrow) Context;
    if (!context_) {
        munmap(stack_, page() + kStackBytes);
        throw std::bad_alloc();
    }
    context_->own_sanitized.own(stack_ + page(), kStackBytes);
}

Fiber::~Fiber() {
    context_->own_sanitized.end();
    delete context_;
    munmap(stack_, page() + kStackBytes);
}

void Fiber::begin(Function function, void* argument) {
    body_ = {function, argument};
    ended_ = false;
    context_->own_sanitized.restart();
    context_->own.begin(stack_ + page(), kStackBytes, run);
}

bool Fiber::resume(bool anything) {
    Context& c = *context_;
    while (!ended_) {
        if (outside_.function && !anything) return false;
        if (const Work work = std::exchange(outside_, {}); work.function)
            work.function(work.argument);
        Fiber* const before = exchange_running(this);
        c.thread_sanitized.of_thread();
        c.thread_sanitized.leave(c.own_sanitized, false);
        c.thread.switch_to(c.own);
        c.thread_sanitized.arrive(c.own_sanitized);
        exchange_running(before);
        if (!outside_.function) break;
    }
    return ended_;
}

void Fiber::run() {
    Fiber& self = *current();
    self.context_->own_sanitized.arrive(self.context_->thread_sanitized);
    self.body_.function(self.body_.argument);
    self.ended_ = true;
    self.leave();
    __builtin_unreachable();
}

void Fiber::leave() {
    Context& c = *context_;
    c.own_sanitized.leave(c.thread_sanitized, ended_);
    c.own.switch_to(c.thread);
    c.own_sanitized.arrive(c.thread_sanitized);
}

void Fiber::suspend() { leave(); }

void Fiber::run_outside(Function function, void* argument) {
    outside_ = {function, argument};
    leave();
}

[[gnu::noinline]] Fiber* Fiber::current() { return running; }

}  // namespace hopbine::mpi
