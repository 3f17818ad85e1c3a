/// System calls without the C library.
#pragma once
#include <unistd.h>

namespace hopbine::watch {

/// A system call without errno and what else the C library keeps for a thread. Negative: the error.
/// Where this processor's way is not known the C library makes it.
inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
#if defined(__x86_64__)
    register long r10 asm("r10") = d, r8 asm("r8") = e;
    asm volatile("syscall"
                 : "+a"(number)
                 : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                 : "rcx", "r11", "memory");
    return number;
#elif defined(__aarch64__)
    register long x8 asm("x8") = number, x0 asm("x0") = a, x1 asm("x1") = b, x2 asm("x2") = c,
                     x3 asm("x3") = d, x4 asm("x4") = e;
    asm volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
    return x0;
#else
    return ::syscall(number, a, b, c, d, e);
#endif
}

inline long word(const void* p) { return reinterpret_cast<long>(p); }

}  // namespace hopbine::watch
