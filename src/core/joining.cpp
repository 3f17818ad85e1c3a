#include "core/joining.hpp"

#include <algorithm>

namespace hopbine {

std::vector<Joined> joined(const Step& moves, int rank) {
    const auto contributes = [](const Joined& j) {
        return j.move->way == Way::recv && j.move->mode == Mode::reduce;
    };
    std::vector<Joined> out;
    for (const Move& m : moves) out.push_back({&m, false});
    const auto first = std::stable_partition(out.begin(), out.end(),
                                             [&](const Joined& j) { return !contributes(j); });
    std::stable_sort(first, out.end(),
                     [](const Joined& a, const Joined& b) { return a.move->peer < b.move->peer; });
    if (first == out.end()) return out;
    for (auto j = first; j + 1 != out.end() && (j + 1)->move->peer < rank; ++j)
        j->onward =
            j->move->channel == (j + 1)->move->channel && j->move->blocks == (j + 1)->move->blocks;
    return out;
}

}  // namespace hopbine
