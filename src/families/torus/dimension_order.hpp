/// For the schedules of tori: dimensions that take turns, and coordinates.
#pragma once
#include <algorithm>
#include <functional>
#include <numeric>

#include "families/torus/torus.hpp"
#include "schedule/coordinates.hpp"

namespace hopbine::torus {

inline int ranks(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
}

/// A step of one dimension's line.
struct Turn {
    std::size_t dimension;
    int step;
};

/// The steps of all dimensions in the order of their turns, from dimension `first` on; dimensions
/// that are done are skipped (Swing Sec. 4.2).
std::vector<Turn> turns_of(const Lines& lines, Turns turns, int first);

/// What every schedule on a torus knows: its lines, one per dimension, and their turns.
class OnTorus : public Schedule {
public:
    OnTorus(Shape shape, Lines lines, Turns turns, int first);
    int steps() const override { return static_cast<int>(turns_.size()); }

protected:
    const Shape& shape() const { return at_.shape(); }
    const Turn& turn(int s) const { return turns_[static_cast<std::size_t>(s)]; }
    /// The dimension has no more steps of its own and waits for the longest one.
    bool idle(int s) const { return turn(s).step >= lines_[turn(s).dimension]->steps(); }

    Coordinates at_;
    Lines lines_;
    std::vector<Turn> turns_;
};

}  // namespace hopbine::torus
