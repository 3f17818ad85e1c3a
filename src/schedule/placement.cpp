#include "schedule/placement.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

#include "schedule/integers.hpp"
#include "schedule/problem.hpp"

namespace hopbine {

namespace {

/// Numbers values 0, 1, ... in the order of their first appearance. Open addressing: a placement of
/// a large job has as many nodes as ranks, and every rank numbers them.
template <class Value>
std::vector<int> numbered_in_order(const std::vector<Value>& values) {
    const std::size_t slots = std::bit_ceil(2 * values.size() + 2);
    std::vector<int> first(slots, -1);  // where the value of a slot appeared first
    std::vector<int> out(values.size());
    int count = 0;
    for (std::size_t r = 0; r < values.size(); ++r) {
        std::uint64_t mixed = static_cast<std::uint64_t>(values[r]) * 0x9E3779B97F4A7C15u;
        mixed ^= mixed >> 32;
        std::size_t at = mixed & (slots - 1);
        while (first[at] >= 0 && values[static_cast<std::size_t>(first[at])] != values[r])
            at = (at + 1) & (slots - 1);
        if (first[at] < 0) {
            first[at] = static_cast<int>(r);
            out[r] = count++;
        } else {
            out[r] = out[static_cast<std::size_t>(first[at])];
        }
    }
    return out;
}

}  // namespace

std::vector<int> numbered(const std::vector<std::uint64_t>& names) {
    return numbered_in_order(names);
}

Placement one_rank_per_node(std::vector<int> group) {
    std::vector<int> node(group.size());
    std::iota(node.begin(), node.end(), 0);
    return {std::move(group), std::move(node)};
}

void validate(const Placement& place, int p) {
    const auto n = static_cast<std::size_t>(p);
    if (place.group.size() != n || place.node.size() != n)
        throw Error("the placement tells of " + std::to_string(place.group.size()) +
                    " ranks' groups and " + std::to_string(place.node.size()) +
                    " ranks' nodes, but p = " + std::to_string(p));
    const std::vector<int> node = numbered_in_order(place.node);
    std::vector<std::size_t> first;
    for (std::size_t r = 0; r < n; ++r) {
        const auto of = static_cast<std::size_t>(node[r]);
        if (of == first.size()) first.push_back(r);
        if (place.group[first[of]] != place.group[r])
            throw Error("ranks " + std::to_string(first[of]) + " and " + std::to_string(r) +
                        " are on one node but in two groups");
    }
}

Units::Units(const std::vector<int>& unit)
    : unit_(numbered_in_order(unit)), index_(unit.size()), members_(unit.size()) {
    int units = 0;
    for (int u : unit_) units = std::max(units, u + 1);
    std::vector<int> filled(static_cast<std::size_t>(units), 0);
    for (std::size_t r = 0; r < unit.size(); ++r)
        index_[r] = filled[static_cast<std::size_t>(unit_[r])]++;
    begin_.assign(filled.size() + 1, 0);
    std::partial_sum(filled.begin(), filled.end(), begin_.begin() + 1);
    for (std::size_t r = 0; r < unit.size(); ++r)
        members_[static_cast<std::size_t>(begin_[static_cast<std::size_t>(unit_[r])] + index_[r])] =
            static_cast<int>(r);
    until_.resize(unit.size());
    for (std::size_t r = unit.size(); r-- > 0;)
        until_[r] = r + 1 < unit.size() && unit_[r + 1] == unit_[r] ? until_[r + 1]
                                                                    : static_cast<int>(r) + 1;
}

bool Units::even() const {
    int u = 1;
    while (u < count() && size(u) == size(0)) ++u;
    return u >= count();
}

int Units::period() const {
    const int n = size(0), p = static_cast<int>(unit_.size());
    for (int r = 0; r < p; ++r)
        if (of(r) != r / n || index(r) != r % n) return 0;
    return p == count() * n ? n : 0;
}

int Units::holder(int unit, int rank) const {
    const int c = of(rank);
    if (c == unit) return rank;
    if (size(c) == size(unit)) return members(unit)[static_cast<std::size_t>(index(rank))];
    return members(unit)[static_cast<std::size_t>(proportional(index(rank), size(c), size(unit)))];
}

std::pair<int, int> Units::held(int unit, int lo, int hi, int c) const {
    if (c == unit || size(c) == size(unit)) return {lo, hi};
    const auto first = [&](int x) {
        return static_cast<int>(proportional_from(x, size(unit), size(c)));
    };
    return {first(lo), first(hi)};
}

}  // namespace hopbine
