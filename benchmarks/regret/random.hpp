/// Numbers drawn alike on every machine.
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>

namespace hopbine::regret {

/// Mixes numbers into one that looks drawn (splitmix64's last step after each).
template <class... Numbers>
constexpr std::uint64_t mixed(std::uint64_t a, Numbers... more) {
    std::uint64_t x = 0;
    for (const std::uint64_t n : {a, static_cast<std::uint64_t>(more)...}) {
        x += n + 0x9e3779b97f4a7c15;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        x ^= x >> 31;
    }
    return x;
}

/// In [0, 1).
constexpr double unit(std::uint64_t number) { return static_cast<double>(number >> 11) * 0x1p-53; }

/// A sequence of drawn numbers.
class Random {
public:
    explicit Random(std::uint64_t seed) : seed_(seed) {}
    std::uint64_t number() { return mixed(seed_, ++n_); }
    double real() { return unit(number()); }
    /// In [least, most].
    int whole(int least, int most) { return least + static_cast<int>(real() * (most - least + 1)); }
    bool chance(double p) { return real() < p; }
    /// In [least, most], whose logarithm is uniform.
    double scale(double least, double most) { return least * std::pow(most / least, real()); }
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - real()));
        return radius * std::cos(2 * std::numbers::pi * real());
    }

private:
    std::uint64_t seed_, n_ = 0;
};

}  // namespace hopbine::regret
