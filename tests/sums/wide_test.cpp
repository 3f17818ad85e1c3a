// Exact sums of numbers of 16 bytes against the compiler's arithmetic, which rounds one sum or one
// product correctly.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <vector>

#include "sums/arithmetic.hpp"

namespace hopbine::sums {
namespace {

#ifdef __SIZEOF_FLOAT128__
__extension__ using Quad = __float128;
#else
using Quad = long double;
#endif

using Random = std::mt19937_64;
using Bits = std::array<unsigned char, 16>;

struct LongDouble {
    using Real = long double;
    static const Arithmetic& arithmetic() { return *arithmetic_of_long_double(); }
};
struct Binary128 {
    using Real = Quad;
    static const Arithmetic& arithmetic() { return *arithmetic_of(16); }
};

template <class Kind>
class WideSums : public testing::Test {
protected:
    using Real = typename Kind::Real;
    static constexpr bool kExtended =
        std::numeric_limits<long double>::digits == 64 && std::is_same_v<Kind, LongDouble>;

    /// A number of an exponent in [low, high], of 1 to 32766; or any of those below, with specials.
    Real drawn(unsigned low, unsigned high, bool specials = false) {
        Bits out{};
        const std::uint64_t words[2] = {random(), random()};
        const std::size_t significand = kExtended ? 8 : 14;
        std::memcpy(out.data(), words, significand);
        if (random() % 3 == 0) std::memset(out.data(), 0, significand - 1 - random() % 7);
        unsigned exponent = low + static_cast<unsigned>(random() % (high - low + 1));
        if (specials && random() % 4 == 0) {
            exponent = random() % 2 ? 0x7fff : 0;
            if (random() % 2) std::memset(out.data(), 0, significand);
        }
        if (kExtended && exponent) out[7] |= 0x80;
        if (kExtended && !exponent) out[7] &= 0x7f;
        const unsigned high_bits = exponent | static_cast<unsigned>(random() % 2) << 15;
        out[kExtended ? 8 : 14] = static_cast<unsigned char>(high_bits);
        out[kExtended ? 9 : 15] = static_cast<unsigned char>(high_bits >> 8);
        Real value;
        std::memcpy(&value, out.data(), sizeof value);
        return value;
    }

    /// What is to be compared of a result: a NaN is the positive quiet one without payload.
    static Bits bits(Real value) {
        Bits out{};
        if (value != value) {
            out[kExtended ? 7 : 13] = kExtended ? 0xc0 : 0x80;
            out[kExtended ? 8 : 14] = 0xff;
            out[kExtended ? 9 : 15] = 0x7f;
        } else {
            std::memcpy(out.data(), &value, kExtended ? 10 : 16);
        }
        return out;
    }

    /// The sums of vectors' elements; `room`: ranks that there may be.
    std::vector<Bits> sums_of(const std::vector<std::vector<Real>>& vectors, int room, int slack) {
        const Arithmetic& a = Kind::arithmetic();
        const std::size_t n = vectors.front().size();
        std::vector<Real> all;
        for (const auto& one : vectors) all.insert(all.end(), one.begin(), one.end());
        const Format f =
            slack < 0 ? a.full(room) : a.window(a.range(all.data(), all.size()), room, slack);
        std::vector<std::int64_t> sum(n * static_cast<std::size_t>(f.words())), one(sum.size());
        for (const auto& values : vectors) {
            EXPECT_TRUE(a.encode(values.data(), n, f, one.data()));
            for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += one[k];
        }
        std::vector<Bits> out(n);
        a.round(sum.data(), n, f, out.data());
        return out;
    }

    Random random{1};
};
using Kinds = testing::Types<LongDouble, Binary128>;
TYPED_TEST_SUITE(WideSums, Kinds);

/// Two numbers, and others that cancel, in any order.
TYPED_TEST(WideSums, AreThoseOfTheProcessor) {
    using Real = typename TypeParam::Real;
    for (int i = 0; i < 3000; ++i) {
        const std::size_t n = 1 + this->random() % 20, ranks = 2 + 2 * (this->random() % 3);
        const unsigned width = i % 8 ? static_cast<unsigned>(this->random() % 200) : 32765,
                       low = 1 + static_cast<unsigned>(this->random() % (32766 - width));
        std::vector<std::vector<Real>> vectors(ranks, std::vector<Real>(n));
        std::vector<Bits> expected;
        for (std::size_t k = 0; k < n; ++k) {
            std::vector<Real> column = {this->drawn(low, low + width, i % 3 == 0),
                                        this->drawn(low, low + width, i % 3 == 0)};
            const Real sum = column[0] + column[1];
            while (column.size() < ranks) {
                column.push_back(this->drawn(low, low + width));
                column.push_back(-column.back());
            }
            // The sum of nothing but -0 is -0.
            expected.push_back(this->bits(sum == 0 && ranks > 2 ? Real(0) : sum));
            std::shuffle(column.begin(), column.end(), this->random);
            for (std::size_t r = 0; r < ranks; ++r) vectors[r][k] = column[r];
        }
        const int room = std::min(kMostAddends, static_cast<int>(ranks << this->random() % 19)),
                  slack = i % 4 ? static_cast<int>(this->random() % 128) : -1;
        ASSERT_EQ(this->sums_of(vectors, room, slack), expected) << i;
    }
}

/// As many addends as a format is for, all alike: their sum is a product, rounded once.
TYPED_TEST(WideSums, HaveRoomForAllRanks) {
    using Real = typename TypeParam::Real;
    const Arithmetic& a = TypeParam::arithmetic();
    for (int i = 0; i < 3000; ++i) {
        const int ranks = i % 5 ? 1 + static_cast<int>(this->random() % 5000) : kMostAddends;
        const Real value = this->drawn(1, 32766);
        const Format f = a.full(ranks);
        std::vector<std::int64_t> words(static_cast<std::size_t>(f.words()));
        ASSERT_TRUE(a.encode(&value, 1, f, words.data()));
        for (std::int64_t& word : words) word *= ranks;
        Bits out;
        a.round(words.data(), 1, f, out.data());
        ASSERT_EQ(out, this->bits(value * Real(ranks))) << i << ", " << ranks << " ranks";
    }
}

TYPED_TEST(WideSums, TellWhatDoesNotFit) {
    using Real = typename TypeParam::Real;
    const Arithmetic& a = TypeParam::arithmetic();
    const Real inside = 1.5, infinite = Real(1e300) * Real(1e300);
    const Format f = a.window(a.range(&inside, 1), 8, 4);
    std::vector<std::int64_t> words(static_cast<std::size_t>(f.words()));
    const auto fits = [&](Real value) { return a.encode(&value, 1, f, words.data()); };
    EXPECT_TRUE(fits(inside));
    EXPECT_TRUE(fits(0));
    EXPECT_TRUE(fits(inside * 4));
    EXPECT_TRUE(fits(inside / 4));
    EXPECT_FALSE(fits(inside * Real(0x1p70)));
    EXPECT_FALSE(fits(inside * Real(0x1p-140)));
    EXPECT_FALSE(fits(-Real(0)));
    EXPECT_FALSE(fits(infinite * infinite * infinite * infinite / (infinite - infinite)));
}

}  // namespace
}  // namespace hopbine::sums
