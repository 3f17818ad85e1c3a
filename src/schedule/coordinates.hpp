/// Coordinates of nodes or ranks on a grid, and minimal routes on its rings. Shared by schedules of
/// tori, networks and counts.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "schedule/integers.hpp"

namespace hopbine {

/// Row-major numbering of a grid; the last coordinate varies fastest.
class Coordinates {
public:
    explicit Coordinates(std::vector<int> shape)
        : shape_(std::move(shape)), stride_(shape_.size(), 1) {
        for (std::size_t d = shape_.size(); d-- > 1;) stride_[d - 1] = stride_[d] * shape_[d];
    }
    const std::vector<int>& shape() const { return shape_; }
    /// Distance in number between neighbours in dimension d.
    int stride(std::size_t d) const { return stride_[d]; }
    int of(int number, std::size_t d) const { return number / stride_[d] % shape_[d]; }
    /// The number with coordinate `to` in dimension d and all other coordinates the same.
    int moved(int number, std::size_t d, int to) const {
        return number + (to - of(number, d)) * stride_[d];
    }

private:
    std::vector<int> shape_, stride_;
};

/// Routes between two nodes of a ring. `ahead` and `back` are the hops in either direction,
/// `forward` the fraction of a message that travels ahead. The shorter direction is taken; two
/// equally long ones carry half each. In a ring of two both directions are the same.
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
