// Exact sums against those of another method: whatever the values, the windows, the number of
// addends, and how these are spread over ranks.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <random>
#include <vector>

#include "sums/accumulator.hpp"
#include "sums/binary.hpp"
#include "sums/encode.hpp"
#include "sums/kernels.hpp"
#include "sums/reference.hpp"
#include "sums/round.hpp"

namespace hopbine::sums {
namespace {

using Random = std::mt19937_64;

template <class T>
typename Binary<T>::Bits bits(T value) {
    return std::bit_cast<typename Binary<T>::Bits>(value);
}

/// A value of any exponent between two, or one of the special ones.
template <class T>
T drawn(Random& random, int low, int high, int specials) {
    using B = Binary<T>;
    if (static_cast<int>(random() % 100) < specials) {
        constexpr T kInfinity = std::numeric_limits<T>::infinity();
        const T some[] = {T(0),
                          T(-0.0),
                          kInfinity,
                          -kInfinity,
                          std::numeric_limits<T>::quiet_NaN(),
                          std::numeric_limits<T>::denorm_min(),
                          std::numeric_limits<T>::max(),
                          std::numeric_limits<T>::lowest()};
        return some[random() % std::size(some)];
    }
    const auto whole = static_cast<long double>(random() >> (64 - B::kDigits) | 1);
    const int exponent = low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    const T value = static_cast<T>(std::ldexp(whole, exponent - B::kDigits));
    return random() % 2 ? value : -value;
}

/// Addends of which many cancel: each may come with its negative, somewhere among the others.
template <class T>
std::vector<T> addends(Random& random) {
    using B = Binary<T>;
    const int low = B::kLowest + static_cast<int>(random() % (B::kEnd - B::kLowest)),
              high = std::min(B::kEnd, low + static_cast<int>(random() % 2200)),
              specials = random() % 4 ? 0 : 30;
    std::vector<T> out;
    for (auto n = 1 + random() % 12; n > 0; --n) {
        out.push_back(drawn<T>(random, low, high, specials));
        if (random() % 2) out.push_back(-out.back());
    }
    std::shuffle(out.begin(), out.end(), random);
    return out;
}

template <class T>
T sum_in(const std::vector<T>& values, const Format& f) {
    std::vector<std::int64_t> sum(static_cast<std::size_t>(f.words())), one(sum.size());
    for (const T& value : values) {
        EXPECT_TRUE(encode(&value, 1, f, one.data()));
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += one[k];
    }
    T out;
    round_sums(sum.data(), 1, f, &out);
    return out;
}

template <class T>
T reference_sum(const std::vector<T>& values) {
    Reference reference;
    for (const T& value : values) reference.add(static_cast<double>(value));
    return reference.rounded<T>();
}

template <class T>
class Sums : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Sums, Types);

/// In the full format and in the window of their range, with room for more ranks than add.
TYPED_TEST(Sums, AreThoseOfAnotherMethod) {
    using T = TypeParam;
    Random random(1);
    for (int i = 0; i < 30000; ++i) {
        const std::vector<T> values = addends<T>(random);
        const T expected = reference_sum(values);
        const int ranks =
            std::min<int>(kMostAddends, static_cast<int>(values.size()) << random() % 18);
        const int slack = static_cast<int>(random() % 40);
        ASSERT_EQ(bits(sum_in(values, full_format<T>(ranks))), bits(expected)) << i;
        const Range range = range_of(values.data(), values.size());
        ASSERT_EQ(bits(sum_in(values, format_for<T>(range, ranks, slack))), bits(expected)) << i;
    }
}

/// Vectors of any length, in windows that have few words or many. The exponents of a vector's
/// numbers are near one another, but for those that cancel.
template <class T>
std::vector<std::vector<T>> drawn_vectors(Random& random, std::size_t ranks, std::size_t n) {
    using B = Binary<T>;
    const int width = random() % 3 ? static_cast<int>(random() % 200) : B::kEnd - B::kLowest,
              low = B::kLowest + static_cast<int>(random() % (B::kEnd - B::kLowest)),
              high = std::min(B::kEnd, low + width), specials = random() % 3 ? 0 : 20;
    std::vector<std::vector<T>> out(ranks, std::vector<T>(n));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t r = 0; r < ranks; ++r)
            out[r][i] = r && random() % 8 == 0 ? -out[r - 1][i]
                        : random() % 50 == 0   ? T(0)
                                               : drawn<T>(random, low, high, specials);
    return out;
}

template <class T>
std::vector<T> sums_by(const Kernels& kernels, const std::vector<std::vector<T>>& vectors,
                       const Format& f) {
    const std::size_t n = vectors.front().size();
    std::vector<std::int64_t> sum(n * static_cast<std::size_t>(f.words())), one(sum.size());
    for (const std::vector<T>& values : vectors) {
        EXPECT_TRUE(kernels.encode(values.data(), n, f, one.data()));
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += one[k];
    }
    std::vector<T> out(n);
    kernels.round(sum.data(), n, f, out.data());
    return out;
}

TYPED_TEST(Sums, AreTheSameInAnyRegisters) {
    using T = TypeParam;
    Random random(3);
    for (int i = 0; i < 400; ++i) {
        const std::size_t ranks = 1 + random() % 5, n = 1 + random() % 300;
        const std::vector<std::vector<T>> vectors = drawn_vectors<T>(random, ranks, n);
        std::vector<T> all, expected;
        for (const std::vector<T>& one : vectors) all.insert(all.end(), one.begin(), one.end());
        for (std::size_t k = 0; k < n; ++k) {
            std::vector<T> addends;
            for (const std::vector<T>& one : vectors) addends.push_back(one[k]);
            expected.push_back(reference_sum(addends));
        }
        const int room = static_cast<int>(ranks << random() % 16),
                  slack = static_cast<int>(random() % 20);
        for (int units = 0; units <= static_cast<int>(vector_units()); ++units) {
            const Kernels& kernels = kernels_for<T>(static_cast<VectorUnits>(units));
            const Format f = i % 4
                                 ? format_for<T>(kernels.range(all.data(), all.size()), room, slack)
                                 : full_format<T>(room);
            const std::vector<T> sums = sums_by(kernels, vectors, f);
            for (std::size_t k = 0; k < n; ++k)
                ASSERT_EQ(bits(sums[k]), bits(expected[k]))
                    << i << ", element " << k << " of " << n << ", registers " << units << ", "
                    << f.digits << " digits";
        }
    }
}

/// As many addends as a format is for, all as large as a digit can be.
TYPED_TEST(Sums, HaveRoomForAllRanks) {
    using T = TypeParam;
    const T largest = std::numeric_limits<T>::max();
    for (const int ranks : {1, 2, 3, 4, 5, 1023, 1024, 1025, kMostAddends}) {
        for (const T value : {largest, -largest, std::numeric_limits<T>::denorm_min(), T(1) / 3}) {
            const Format f = full_format<T>(ranks);
            std::vector<std::int64_t> words(static_cast<std::size_t>(f.words()));
            ASSERT_TRUE(encode(&value, 1, f, words.data()));
            for (std::int64_t& word : words) word *= ranks;  // as all of them add
            T out;
            round_sums(words.data(), 1, f, &out);
            Reference reference;
            reference.add_product(static_cast<double>(value), ranks);
            ASSERT_EQ(bits(out), bits(reference.rounded<T>())) << ranks << ' ' << value;
        }
    }
}

/// What a window does not have is told.
TYPED_TEST(Sums, TellWhatDoesNotFit) {
    using T = TypeParam;
    const T inside = T(1.5);
    const Format f = format_for<T>(range_of(&inside, 1), 8, 4);
    std::vector<std::int64_t> words(static_cast<std::size_t>(f.words()));
    const auto fits = [&](T value) { return encode(&value, 1, f, words.data()); };
    EXPECT_TRUE(fits(inside));
    EXPECT_TRUE(fits(T(0)));
    EXPECT_TRUE(fits(std::ldexp(T(1.5), -2)));
    EXPECT_TRUE(fits(std::ldexp(T(1.5), 2)));
    EXPECT_FALSE(fits(std::ldexp(T(1.5), 70)));
    EXPECT_FALSE(fits(std::ldexp(T(1.5), -70)));
    EXPECT_FALSE(fits(T(-0.0)));
    EXPECT_FALSE(fits(std::numeric_limits<T>::infinity()));
    EXPECT_FALSE(fits(std::numeric_limits<T>::quiet_NaN()));
}

/// The flags of any ranks are found, and none where the largest values of all ranks are added.
TYPED_TEST(Sums, HaveRoomForFlags) {
    using T = TypeParam;
    Random random(4);
    for (int i = 0; i < 2000; ++i) {
        const T value = drawn<T>(random, -60, 60, 0);
        const int ranks = i % 3 ? 1 + static_cast<int>(random() % 5000) : 1 << random() % 21;
        const Format f = format_for<T>(range_of(&value, 1), ranks, static_cast<int>(random() % 99));
        const std::size_t n = 1 + random() % 20;
        const T large = std::ldexp(T(2) - std::numeric_limits<T>::epsilon(), f.end() - f.spare - 1);
        if (!std::isfinite(large)) continue;
        const std::vector<T> values(n, random() % 2 ? large : -large);
        std::vector<std::int64_t> words(n * static_cast<std::size_t>(f.words()));
        ASSERT_TRUE(encode(values.data(), n, f, words.data()));
        ASSERT_LT(f.flag_at(n), words.size());
        const std::int64_t digit = words[f.flag_at(n)];
        ASSERT_FALSE(f.has_flags(digit * ranks)) << ranks;
        const auto flags = 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(ranks));
        ASSERT_TRUE(f.has_flags(f.flag() * flags + digit * (ranks - flags))) << ranks;
        ASSERT_TRUE(f.has_flags(f.flag() * ranks)) << ranks;
        const std::vector<T> larger(n, large * 2);
        ASSERT_FALSE(std::isfinite(large * 2) && encode(larger.data(), n, f, words.data()));
    }
}

/// Each rank accumulates some of the addends; their words are added.
double spread(const std::vector<double>& x, const std::vector<double>& y, std::size_t ranks) {
    const Format f = y.empty() ? Accumulator::format_of_values(static_cast<int>(ranks))
                               : Accumulator::format_of_products(static_cast<int>(ranks));
    std::vector<std::int64_t> sum(static_cast<std::size_t>(f.words())), one(sum.size());
    for (std::size_t r = 0; r < ranks; ++r) {
        Accumulator mine;
        for (std::size_t i = r; i < x.size(); i += ranks)
            y.empty() ? mine.add(x[i]) : mine.add_product(x[i], y[i]);
        mine.write(f, one.data());
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += one[k];
    }
    double out;
    round_sums(sum.data(), 1, f, &out);
    return out;
}

TEST(Accumulator, HasSumsAndProductsOverAnyRanks) {
    Random random(2);
    for (int i = 0; i < 4000; ++i) {
        const std::vector<double> x = addends<double>(random);
        std::vector<double> y(x.size());
        for (double& one : y) one = drawn<double>(random, -1074, 1024, 5);
        Reference products;
        for (std::size_t k = 0; k < x.size(); ++k) products.add_product(x[k], y[k]);
        for (const std::size_t ranks : {1u, 2u, 3u, 7u, 1000u}) {
            ASSERT_EQ(bits(spread(x, {}, ranks)), bits(reference_sum(x))) << i;
            ASSERT_EQ(bits(spread(x, y, ranks)), bits(products.rounded<double>())) << i;
        }
    }
}

TEST(Accumulator, CanBeWrittenAndAddedToAgain) {
    Accumulator sum;
    const Format f = Accumulator::format_of_values(3);
    std::vector<std::int64_t> words(static_cast<std::size_t>(f.words()));
    double out = 0;
    for (const double value : {-1e300, 1.0, 1e300, -0x1p-1074, -3.0}) {
        sum.add(value);
        sum.write(f, words.data());
    }
    round_sums(words.data(), 1, f, &out);
    EXPECT_EQ(out, -2 - 0x1p-60);
    sum.add(0x1p-1074);
    sum.write(f, words.data());
    round_sums(words.data(), 1, f, &out);
    EXPECT_EQ(out, -2);
    EXPECT_TRUE(sum.any());
    EXPECT_FALSE(Accumulator().any());
}

}  // namespace
}  // namespace hopbine::sums
