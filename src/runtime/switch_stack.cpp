#include "runtime/switch_stack.hpp"

#ifdef HOPBINE_SWITCHES_BY_ASSEMBLY

#include <new>

namespace hopbine::mpi {

namespace {

/// What a suspended stack has at its end, from the lowest address up: what the calling convention
/// asks a function to keep, with the modes of floating point, and where it goes on.
#if defined(__x86_64__)
struct Saved {
    std::uint32_t vector_mode = 0, float_mode = 0;
    std::uint64_t registers[6] = {};
    void (*goes_on)() = nullptr;
    std::uint64_t returns_to = 0;

    void take_modes() {
        asm("stmxcsr %0" : "=m"(vector_mode));
        asm("fnstcw %0" : "=m"(float_mode));
    }
};
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
#elif defined(__aarch64__)
struct Saved {
    std::uint64_t registers[12] = {};  ///< x19 to x30
    std::uint64_t vectors[8] = {};     ///< the lower halves of v8 to v15
    std::uint64_t mode = 0;
    /// Apart from x30, which is 0 in a new stack: there debuggers and exceptions end.
    void (*goes_on)() = nullptr;

    void take_modes() { asm("mrs %0, fpcr" : "=r"(mode)); }
};
static_assert(sizeof(Saved) == 176);
// - It begins with `bti c`: a linker's veneer may jump to it.
// - FPCR is written only where it changes: that waits for all instructions before.
asm(R"(
.pushsection .text
.hidden hopbine_switch_stack
.globl hopbine_switch_stack
.type hopbine_switch_stack, %function
hopbine_switch_stack:
    hint #34
    sub sp, sp, #176
    mrs x9, fpcr
    stp x19, x20, [sp]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    stp x9, x30, [sp, #160]
    mov x11, sp
    str x11, [x0]
    mov sp, x1
    ldp x19, x20, [sp]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x10, x12, [sp, #160]
    add sp, sp, #176
    cmp x9, x10
    b.eq 1f
    msr fpcr, x10
1:  ret x12
.size hopbine_switch_stack, .-hopbine_switch_stack
.popsection
)");
#endif

}  // namespace

void Stack::begin(char* base, std::size_t bytes, void (*entry)()) {
    Saved first;
    first.take_modes();
    first.goes_on = entry;
    at_ = new (base + bytes - sizeof first) Saved(first);
}

}  // namespace hopbine::mpi

#endif
