#include "schedule/placement.hpp"

#include <map>
#include <numeric>
#include <string>
#include <unordered_map>

#include "schedule/integers.hpp"
#include "schedule/problem.hpp"

namespace hopbine {

std::vector<int> numbered(const std::vector<std::uint64_t>& names) {
    std::unordered_map<std::uint64_t, int> number;
    std::vector<int> out;
    for (std::uint64_t name : names)
        out.push_back(number.emplace(name, static_cast<int>(number.size())).first->second);
    return out;
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
    std::map<int, std::size_t> first;
    for (std::size_t r = 0; r < n; ++r) {
        const auto [seen, fresh] = first.emplace(place.node[r], r);
        if (!fresh && place.group[seen->second] != place.group[r])
            throw Error("ranks " + std::to_string(seen->second) + " and " + std::to_string(r) +
                        " are on one node but in two groups");
    }
}

Units::Units(const std::vector<int>& unit) {
    std::map<int, int> number;
    for (std::size_t r = 0; r < unit.size(); ++r) {
        const int u = number.emplace(unit[r], static_cast<int>(number.size())).first->second;
        if (u == count()) members_.emplace_back();
        auto& in = members_[static_cast<std::size_t>(u)];
        unit_.push_back(u);
        index_.push_back(static_cast<int>(in.size()));
        in.push_back(static_cast<int>(r));
    }
    until_.resize(unit.size());
    for (std::size_t r = unit.size(); r-- > 0;)
        until_[r] = r + 1 < unit.size() && unit_[r + 1] == unit_[r] ? until_[r + 1]
                                                                    : static_cast<int>(r) + 1;
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
    return members(unit)[static_cast<std::size_t>(proportional(index(rank), size(c), size(unit)))];
}

std::pair<int, int> Units::held(int unit, int lo, int hi, int c) const {
    if (c == unit) return {lo, hi};
    const auto first = [&](int x) {
        return static_cast<int>(proportional_from(x, size(unit), size(c)));
    };
    return {first(lo), first(hi)};
}

}  // namespace hopbine
