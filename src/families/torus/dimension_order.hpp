/// Base of the schedules on tori: coordinates, and dimensions that take turns.
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

/// A step of the line of one dimension.
struct Turn {
    std::size_t dimension;
    int step;
};

/// Steps of all dimensions in the order of their turns, starting with dimension `first`. Dimensions
/// that have completed are skipped (Swing Sec. 4.2).
std::vector<Turn> turns_of(const Lines& lines, Turns turns, int first);

/// Numbers whose coordinate in every dimension is in the set of that dimension.
BlockSet product(const Shape& shape, const std::vector<BlockSet>& sets);

/// Base class of schedules on a torus: one line per dimension, and the turns of the dimensions.
class OnTorus : public Schedule {
public:
    OnTorus(Shape shape, Lines lines, Turns turns, int first);
    int steps() const override { return static_cast<int>(turns_.size()); }

protected:
    const Shape& shape() const { return at_.shape(); }
    const Turn& turn(int s) const { return turns_[static_cast<std::size_t>(s)]; }
    /// Whether the dimension has completed its own steps and waits for the longest one.
    bool idle(int s) const { return turn(s).step >= lines_[turn(s).dimension]->steps(); }
    /// Steps of the line of dimension e before step s.
    int done(int s, std::size_t e) const { return done_[static_cast<std::size_t>(s)][e]; }

    Coordinates at_;
    Lines lines_;
    std::vector<Turn> turns_;

private:
    std::vector<std::vector<int>> done_;  ///< [step][dimension]
};

}  // namespace hopbine::torus
