/// Switches from one stack to another.
///
/// - x86-64 and aarch64: saves what the calling convention asks a function to keep, in a few
///   nanoseconds.
/// - Elsewhere: ucontext, which also makes a system call for the signal mask.
#pragma once
#include <cstddef>
#include <cstdint>

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(HOPBINE_UCONTEXT)
#define HOPBINE_SWITCHES_BY_ASSEMBLY

extern "C" {
/// Saves the current stack's pointer to *from, and continues on the stack `to`.
void hopbine_switch_stack(void** from, void* to);
}

namespace hopbine::mpi {

class Stack {
public:
    /// Prepares a stack of `bytes`, a multiple of 16, on which `entry` begins, with this thread's
    /// modes of floating point. It must not return.
    void begin(char* base, std::size_t bytes, void (*entry)());
    void switch_to(Stack& other) { hopbine_switch_stack(&at_, other.at_); }

private:
    void* at_ = nullptr;
};

}  // namespace hopbine::mpi

#else
#include <ucontext.h>

namespace hopbine::mpi {

class Stack {
public:
    void begin(char* base, std::size_t bytes, void (*entry)()) {
        getcontext(&context_);
        context_.uc_stack.ss_sp = base;
        context_.uc_stack.ss_size = bytes;
        context_.uc_link = nullptr;
        makecontext(&context_, entry, 0);
    }
    void switch_to(Stack& other) { swapcontext(&context_, &other.context_); }

private:
    ucontext_t context_{};
};

}  // namespace hopbine::mpi

#endif
