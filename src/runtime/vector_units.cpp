#include "runtime/vector_units.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>

namespace hopbine {

VectorUnits vector_units() {
    constexpr unsigned kYmm = 0x06, kZmm = 0xe6;  // what the system saves, in XCR0
    unsigned a = 0, b = 0, c = 0, d = 0, saved = 0, upper = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return VectorUnits::any;
    asm("xgetbv" : "=a"(saved), "=d"(upper) : "c"(0));
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return VectorUnits::any;
    constexpr unsigned kAvx512 = bit_AVX512F | bit_AVX512CD | bit_AVX512DQ;
    if ((saved & kZmm) == kZmm && (b & kAvx512) == kAvx512) return VectorUnits::avx512;
    return (saved & kYmm) == kYmm && (b & bit_AVX2) ? VectorUnits::avx2 : VectorUnits::any;
}

}  // namespace hopbine
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>

namespace hopbine {

VectorUnits vector_units() {
    return getauxval(AT_HWCAP) & HWCAP_SVE ? VectorUnits::sve : VectorUnits::any;
}

}  // namespace hopbine
#else
namespace hopbine {

VectorUnits vector_units() { return VectorUnits::any; }

}  // namespace hopbine
#endif
