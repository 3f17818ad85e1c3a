// Reductions in half precision: conversions against the definition of the formats, and the loops
// against float arithmetic and these conversions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "device/kernels/halves.h"
#include "runtime/kernels.hpp"

using namespace hopbine::mpi;

namespace {

/// A format: bits of the fraction, and the exponent of the least normal number.
struct Format {
    const char* name;
    Element element;
    int fraction, least;
    float (*widen)(std::uint16_t);
    std::uint16_t (*narrow)(float);

    int infinite() const { return 0x7fff >> fraction << fraction; }
    /// The number of bits that are neither negative nor above infinity, by its definition.
    double value(int bits) const {
        const int exponent = bits >> fraction, rest = bits & ((1 << fraction) - 1);
        const int shift = std::max(exponent, 1) - 1 + least - fraction;
        return std::ldexp(exponent == 0 ? rest : rest + (1 << fraction), shift);
    }
};

const Format kFormats[] = {
    {"fp16", Element::f16, 10, -14, [](std::uint16_t h) { return widen_f16(h); },
     [](float f) { return narrow_f16(f); }},
    {"bf16", Element::bf16, 7, -126, [](std::uint16_t h) { return widen_bf16(h); },
     [](float f) { return narrow_bf16(f); }}};

class Halves : public testing::TestWithParam<Format> {
protected:
    std::uint16_t apply(Operation op, std::uint16_t in, std::uint16_t mine) const {
        kernel(op, GetParam().element)(&in, &mine, 1);
        return mine;
    }
};

TEST_P(Halves, AreTheNumbersOfTheFormat) {
    const Format& f = GetParam();
    for (int bits = 0; bits < f.infinite(); ++bits) {
        const auto h = static_cast<std::uint16_t>(bits), minus = std::uint16_t(bits | 0x8000);
        ASSERT_EQ(f.widen(h), f.value(bits));
        ASSERT_EQ(f.narrow(f.widen(h)), h);
        ASSERT_EQ(f.narrow(f.widen(minus)), minus);
    }
    const auto infinite = static_cast<std::uint16_t>(f.infinite());
    EXPECT_EQ(f.widen(infinite), std::numeric_limits<float>::infinity());
    EXPECT_EQ(f.narrow(-std::numeric_limits<float>::infinity()), infinite | 0x8000);
}

/// Also where the nearest is infinity, by the exponent that would follow.
TEST_P(Halves, RoundToTheNearestAndToEvenBetweenTwo) {
    const Format& f = GetParam();
    for (int bits = 0; bits < f.infinite(); ++bits) {
        const double between = (f.value(bits) + f.value(bits + 1)) / 2;
        const auto middle = static_cast<float>(between);
        if (middle != between) continue;  // bf16's least denormal ones: as small as float's
        const int even = bits % 2 == 0 ? bits : bits + 1;
        ASSERT_EQ(f.narrow(middle), even);
        ASSERT_EQ(f.narrow(-middle), even | 0x8000);
        ASSERT_EQ(f.narrow(std::nextafter(middle, 0.0F)), bits);
        ASSERT_EQ(f.narrow(std::nextafter(middle, INFINITY)), bits + 1);
    }
}

TEST_P(Halves, KeepNaNs) {
    const Format& f = GetParam();
    for (int bits = f.infinite() + 1; bits <= 0x7fff; ++bits) {
        const auto nan = static_cast<std::uint16_t>(bits);
        ASSERT_TRUE(std::isnan(f.widen(nan)));
        for (const Operation op : {Operation::sum, Operation::product}) {
            ASSERT_TRUE(std::isnan(f.widen(apply(op, nan, 1)))) << bits;
            ASSERT_TRUE(std::isnan(f.widen(apply(op, 1, nan | 0x8000)))) << bits;
        }
        // As the loops for float: neither is less, so that the second operand remains.
        ASSERT_EQ(apply(Operation::minimum, nan, 1), 1);
        ASSERT_EQ(apply(Operation::maximum, 1, nan), nan);
    }
    // All bits of a float's NaN but the lowest are lost.
    EXPECT_TRUE(std::isnan(f.widen(f.narrow(float_of(0x7f800001)))));
    EXPECT_TRUE(std::isnan(f.widen(f.narrow(float_of(0xffffffff)))));
    const auto infinite = static_cast<std::uint16_t>(f.infinite());
    EXPECT_TRUE(std::isnan(f.widen(apply(Operation::sum, infinite, infinite | 0x8000))));
}

TEST_P(Halves, AreReducedInFloatAndRoundedOnce) {
    const Format& f = GetParam();
    constexpr std::size_t n = 200003;
    std::minstd_rand draw(7);
    std::vector<std::uint16_t> a(n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
        do a[i] = static_cast<std::uint16_t>(draw() >> 8);
        while ((a[i] & 0x7fff) > f.infinite());
        // Half of them near the first, where sums round.
        do b[i] = static_cast<std::uint16_t>(i % 2 ? draw() >> 8 : a[i] ^ (draw() >> 8 & 0x83ff));
        while ((b[i] & 0x7fff) > f.infinite());
    }
    for (const Operation op :
         {Operation::sum, Operation::product, Operation::minimum, Operation::maximum}) {
        std::vector<std::uint16_t> out = b;
        kernel(op, f.element)(a.data(), out.data(), n);
        for (std::size_t i = 0; i < n; ++i) {
            const float x = f.widen(a[i]), y = f.widen(b[i]), z = f.widen(out[i]);
            if (op == Operation::minimum || op == Operation::maximum) {
                ASSERT_EQ(z, op == Operation::minimum ? std::min(x, y) : std::max(x, y));
                continue;
            }
            const float wanted = op == Operation::sum ? x + y : x * y;
            if (std::isnan(wanted))
                ASSERT_TRUE(std::isnan(z));
            else
                ASSERT_EQ(out[i], f.narrow(wanted)) << kernel_name(op, f.element);
        }
    }
}

#if defined(__x86_64__)
/// As programs built with -ffast-math do.
TEST(HalvesOfFp16, StayWhereDenormalFloatsAreFlushed) {
    constexpr unsigned kFlush = 0x8040;
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | kFlush);
    std::vector<std::uint16_t> in(100), out(100, 3);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint16_t>(i);
    kernel(Operation::sum, Element::f16)(in.data(), out.data(), in.size());
    _mm_setcsr(before);
    for (std::size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], i + 3);
}
#endif

INSTANTIATE_TEST_SUITE_P(All, Halves, testing::ValuesIn(kFormats),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
