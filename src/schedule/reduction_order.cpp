#include "schedule/reduction_order.hpp"

#include <algorithm>

namespace hopbine {

std::vector<OrderedMove> in_reduction_order(const Step& moves, int rank) {
    const auto contributes = [](const OrderedMove& j) {
        return j.move->direction == Direction::recv && j.move->op == Op::reduce;
    };
    std::vector<OrderedMove> out;
    for (const Move& m : moves) out.push_back({&m, false});
    const auto first = std::stable_partition(out.begin(), out.end(),
                                             [&](const OrderedMove& j) { return !contributes(j); });
    // Both ends post the copies of a pair of ranks before its contributions.
    std::stable_partition(out.begin(), first,
                          [](const OrderedMove& j) { return j.move->op == Op::copy; });
    std::stable_sort(first, out.end(), [](const OrderedMove& a, const OrderedMove& b) {
        return a.move->peer < b.move->peer;
    });
    if (first == out.end()) return out;
    for (auto j = first; j + 1 != out.end() && (j + 1)->move->peer < rank; ++j)
        j->onward =
            j->move->channel == (j + 1)->move->channel && j->move->blocks == (j + 1)->move->blocks;
    return out;
}

}  // namespace hopbine
