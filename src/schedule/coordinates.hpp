/// Nodes or ranks on a grid, and the minimal ways round its rings: what schedules of tori, networks
/// and counts share.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "schedule/integers.hpp"

namespace hopbine {

/// Numbers on a grid; the last coordinate runs fastest (row-major).
class Coordinates {
public:
    explicit Coordinates(std::vector<int> shape)
        : shape_(std::move(shape)), stride_(shape_.size(), 1) {
        for (std::size_t d = shape_.size(); d-- > 1;) stride_[d - 1] = stride_[d] * shape_[d];
    }
    const std::vector<int>& shape() const { return shape_; }
    /// How far neighbours in dimension d are apart.
    int stride(std::size_t d) const { return stride_[d]; }
    int of(int number, std::size_t d) const { return number / stride_[d] % shape_[d]; }
    /// The same place with another coordinate in dimension d.
    int moved(int number, std::size_t d, int to) const {
        return number + (to - of(number, d)) * stride_[d];
    }

private:
    std::vector<int> shape_, stride_;
};

/// From one place of a ring to another: hops either way, and what part of a message goes ahead. The
/// shorter way is taken, both alike where they are equally long; in a ring of two they are the
/// same.
struct RingWays {
    int ahead, back;
    double forward;
    int hops() const { return std::min(ahead, back); }
};
constexpr RingWays ring_ways(int from, int to, int extent) {
    const int ahead = mod(to - from, extent), back = extent - ahead;
    return {ahead, back, ahead < back || extent == 2 ? 1 : ahead == back ? 0.5 : 0};
}

}  // namespace hopbine
