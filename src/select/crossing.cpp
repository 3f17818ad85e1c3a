#include "select/crossing.hpp"

#include <algorithm>

#include "analysis/count.hpp"
#include "select/classic.hpp"

namespace hopbine::select {

namespace {

double blocks_between(const Algorithm& a, const Problem& q, const Placement& place) {
    const Traffic t = count(a, q, place);
    return static_cast<double>(t.global.blocks) / t.parts;
}

}  // namespace

Placement reordered(const Placement& place, const std::vector<int>& order) {
    if (order.empty()) return place;
    Placement out;
    for (int r : order) {
        out.group.push_back(place.group[static_cast<std::size_t>(r)]);
        out.node.push_back(place.node[static_cast<std::size_t>(r)]);
    }
    return out;
}

void Crossing::add(const Crossing& other) {
    calls += other.calls;
    classic += other.classic;
    served += other.served;
}

Placement scarce_units(const Placement& place, bool* groups) {
    *groups = Units(place.group).count() > 1;
    return *groups ? place : Placement{place.node, place.node};
}

Crossing crossing(const ServedCalls& calls, const Placement& units) {
    const Problem& q = calls.problem;
    const double block = calls.bytes / q.p, mean = calls.bytes / static_cast<double>(calls.calls);
    Problem played = q;
    if (!calls.order.empty() && rooted(q.collective))
        played.root =
            static_cast<int>(std::ranges::find(calls.order, q.root) - calls.order.begin());
    Crossing out{calls.calls};
    out.classic = block * blocks_between(hopbine::select::classic(q.collective, q.p, mean),
                                         {q.collective, q.p, q.root}, units);
    out.served = block * blocks_between(*calls.algorithm, played, reordered(units, calls.order));
    return out;
}

}  // namespace hopbine::select
