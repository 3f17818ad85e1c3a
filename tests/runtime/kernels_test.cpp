#include "runtime/kernels.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
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
