/// A fixed-point number that holds any sum of doubles, and of products of two doubles.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "sums/format.hpp"

namespace hopbine::sums {

class Accumulator {
public:
    /// Formats of what ranks send: the sums of up to 2^64 values or products on each of them.
    static Format format_of_values(int ranks);
    static Format format_of_products(int ranks);

    void add(double value);
    /// Adds x * y, which is not rounded.
    void add_product(double x, double y);
    /// Whether anything was added.
    bool any() const { return any_; }
    /// Writes what was added as f.words() words of a format of the above.
    void write(const Format& f, std::int64_t* words);

private:
    static constexpr int kDigit = 32;
    static constexpr int kLow = 2 * -1074;           ///< of products
    static constexpr int kGrowth = 64;               ///< bits that 2^64 addends add
    static constexpr int kEnd = 2 * 1024 + kGrowth;  ///< of products
    static constexpr std::size_t kDigits = (kEnd - kLow) / kDigit + 1;
    /// Digits that are added to a carry of 31 bits before they are carried through.
    static constexpr unsigned kMostPending = 1u << 30;

    void add_bits(std::uint64_t magnitude, int lowest, bool negative);
    void note(bool negative, bool finite, bool nan, bool zero);
    void carry();

    std::array<std::int64_t, kDigits> digits_{};
    unsigned pending_ = 0;
    bool any_ = false, positive_ = false, negative_ = false, other_ = false;
};

}  // namespace hopbine::sums
