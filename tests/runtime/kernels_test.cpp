#include "runtime/kernels.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace hopbine::mpi;

template <class T>
void expect_sum_and_extremes(Element e) {
    const std::size_t n = 1027;  // no multiple of any vector width
    std::vector<T> a(n), b(n), sum, least, most;
    for (std::size_t i = 0; i < n; ++i)
        a[i] = static_cast<T>(i * 7 % 50), b[i] = static_cast<T>(i * 3 % 60);
    sum = least = most = b;
    kernel(Operation::sum, e)(a.data(), sum.data(), n);
    kernel(Operation::minimum, e)(a.data(), least.data(), n);
    kernel(Operation::maximum, e)(a.data(), most.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(sum[i], static_cast<T>(a[i] + b[i]));
        ASSERT_EQ(least[i], std::min(a[i], b[i]));
        ASSERT_EQ(most[i], std::max(a[i], b[i]));
    }
}

TEST(Kernels, SumAndExtremes) {
    expect_sum_and_extremes<std::int8_t>(Element::i8);
    expect_sum_and_extremes<std::uint16_t>(Element::u16);
    expect_sum_and_extremes<std::int32_t>(Element::i32);
    expect_sum_and_extremes<std::uint64_t>(Element::u64);
    expect_sum_and_extremes<float>(Element::f32);
    expect_sum_and_extremes<double>(Element::f64);
}

TEST(Kernels, WrapWithoutUndefinedBehaviour) {
    std::int32_t a = std::numeric_limits<std::int32_t>::max(), b = 1;
    kernel(Operation::sum, Element::i32)(&a, &b, 1);
    EXPECT_EQ(b, std::numeric_limits<std::int32_t>::min());
    std::uint16_t c = 65535, d = 65535;
    kernel(Operation::product, Element::u16)(&c, &d, 1);
    EXPECT_EQ(d, 1);
}

TEST(Kernels, LogicAndBits) {
    std::int32_t a[] = {0, 2, 0, 5}, b[] = {0, 0, 3, 6}, c[] = {0, 0, 3, 6};
    kernel(Operation::logical_xor, Element::i32)(a, b, 4);
    EXPECT_EQ(std::vector(b, b + 4), (std::vector<std::int32_t>{0, 1, 1, 0}));
    kernel(Operation::bit_and, Element::i32)(a, c, 4);
    EXPECT_EQ(std::vector(c, c + 4), (std::vector<std::int32_t>{0, 0, 0, 4}));
    EXPECT_EQ(kernel(Operation::bit_or, Element::f32), nullptr);
}

namespace {

std::size_t width(Element e) {
    switch (e) {
    case Element::i8:
    case Element::u8: return 1;
    case Element::i32:
    case Element::u32:
    case Element::f32: return 4;
    case Element::i64:
    case Element::u64:
    case Element::f64: return 8;
    default: return 2;
    }
}

/// Numbers of any bits, of floating point those below 2 in size, normal or not.
std::vector<unsigned char> drawn(std::mt19937& draw, Element e, std::size_t n) {
    std::vector<unsigned char> out(n * width(e));
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<unsigned char>(draw());
        if (is_floating(e) && i % width(e) == width(e) - 1) out[i] &= 0xbf;
    }
    return out;
}

}  // namespace

/// The vector loops of each kernel and what they leave over, against one element at a time.
TEST(Kernels, AreTheSameInAnyRegisters) {
    std::mt19937 draw(7);
    for (int op = 0; op <= static_cast<int>(Operation::bit_xor); ++op)
        for (int k = 0; k <= static_cast<int>(Element::bf16); ++k) {
            const auto o = static_cast<Operation>(op);
            const auto e = static_cast<Element>(k);
            if (!kernel(o, e)) continue;
            for (const std::size_t n : {0, 1, 7, 8, 63, 64, 65, 1027}) {
                const auto a = drawn(draw, e, n), b = drawn(draw, e, n);
                auto expected = b;
                for (std::size_t i = 0; i < a.size(); i += width(e))
                    kernel_for(hopbine::VectorUnits::any, o, e)(&a[i], &expected[i], 1);
                for (int units = 0; units <= static_cast<int>(hopbine::vector_units()); ++units) {
                    auto out = b;
                    kernel_for(static_cast<hopbine::VectorUnits>(units), o, e)(a.data(), out.data(),
                                                                               n);
                    ASSERT_EQ(out, expected)
                        << kernel_name(o, e) << ", " << n << ", registers " << units;
                }
            }
        }
}
