/// What is believed of an arm's time over the library's: a normal distribution of its logarithm.
#pragma once
#include <algorithm>
#include <cmath>

namespace hopbine::select {

struct Belief {
    double mean, deviation;  ///< of the logarithm

    /// Both, as independent observations of one number.
    Belief with(const Belief& other) const {
        const double a = 1 / (deviation * deviation), b = 1 / (other.deviation * other.deviation);
        return {(mean * a + other.mean * b) / (a + b), 1 / std::sqrt(a + b)};
    }
    /// Expected gain of taking the arm where it turns out to be faster than an arm that takes
    /// `now` times the library's time; in library's times.
    double gain(double now) const { return now * below(now) - expected() * shifted_below(now); }
    /// Expected loss of taking it where it turns out to be slower.
    double loss(double now) const {
        return expected() * (1 - shifted_below(now)) - now * (1 - below(now));
    }
    /// The part of the library's time that it gains for sure: less a deviation.
    double sure_gain() const { return std::max(0.0, 1 - std::exp(mean + deviation)); }

private:
    static double cumulative(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
    double expected() const { return std::exp(mean + deviation * deviation / 2); }
    double below(double now) const { return cumulative((std::log(now) - mean) / deviation); }
    double shifted_below(double now) const {
        return cumulative((std::log(now) - mean) / deviation - deviation);
    }
};

/// The belief about a candidate of which nothing is known: as fast as the library, give or take a
/// factor of 1.6 (docs/choice-errors: medians of measured candidates over the best one of a cell).
inline constexpr Belief kUntried{0, 0.45};

}  // namespace hopbine::select
