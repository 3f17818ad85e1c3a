#include "families/torus/bucket.hpp"

#include <algorithm>

#include "families/ring/ring.hpp"
#include "families/torus/swing.hpp"

namespace hopbine::bucket {

int steps(const Problem& q) {
    const int longest = *std::max_element(q.shape.begin(), q.shape.end());
    return torus::steps(
        q.shape, [&](int n) { return (turns(q) == torus::Turns::phases ? longest : n) - 1; });
}

SchedulePtr on_ports(const Problem& q, bool apart,
                     const std::function<SchedulePtr(const torus::Lines&, int)>& make) {
    return swing::on_ports(q, ring_reduce_scatter, apart, make);
}

}  // namespace hopbine::bucket
