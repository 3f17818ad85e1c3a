/// Switches from one stack to another.
///
/// - x86-64: saves what the calling convention asks a function to keep, in a few nanoseconds.
/// - Elsewhere: ucontext, which also makes a system call for the signal mask.
#pragma once
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && !defined(HOPBINE_UCONTEXT)

extern "C" {
/// Saves the current stack's pointer to *from, and continues on the stack `to`.
void hopbine_switch_stack(void** from, void* to);
}

namespace hopbine::mpi {

class Stack {
public:
    /// Prepares a stack of `bytes` on which `entry` begins. It must not return.
    void begin(char* base, std::size_t bytes, void (*entry)()) {
        auto* top = reinterpret_cast<std::uint64_t*>(base + bytes);
        *--top = 0;  // where `entry` would return to
        *--top = reinterpret_cast<std::uint64_t>(entry);
        for (int kept = 0; kept < 6; ++kept) *--top = 0;
        std::uint32_t vector_control = 0;
        std::uint16_t float_control = 0;
        asm("stmxcsr %0" : "=m"(vector_control));
        asm("fnstcw %0" : "=m"(float_control));
        *--top = std::uint64_t{float_control} << 32 | vector_control;
        at_ = top;
    }
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
