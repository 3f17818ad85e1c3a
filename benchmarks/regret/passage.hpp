/// When each rank leaves a collective call.
#pragma once
#include <algorithm>
#include <span>

#include "regret/machine.hpp"

namespace hopbine::regret {

/// Sets the times of ranks from their arrivals at a call to their departures. The first is the
/// root. Whoever has to wait for others leaves after the last of these has come; the last rank that
/// has come spends least time in the call, the others up to the whole.
///
/// In a loop these come out as they were recorded: it goes on by the whole time of each call, and a
/// rank that leaves early waits in the next call, or is ahead of the others until a barrier.
inline void pass(Leaves leaves, const CallTimes& took, std::span<double> at) {
    const std::size_t p = at.size();
    const auto last = static_cast<std::size_t>(std::ranges::max_element(at) - at.begin());
    const double all_here = at[last];
    const auto share = [&](std::size_t i, std::size_t of) {
        const double part = of ? static_cast<double>(i) / static_cast<double>(of) : 1;
        return took.least + (took.whole - took.least) * part;
    };
    switch (leaves) {
    case Leaves::none:
        for (std::size_t r = 0; r < p; ++r) at[r] = all_here + share((r + p - last) % p, p - 1);
        break;
    case Leaves::root:
        for (std::size_t r = 1; r < p; ++r) at[r] = std::max(at[0], at[r]) + share(r, p - 1);
        at[0] += p > 1 ? took.least : took.whole;
        break;
    case Leaves::all_but_root:
        for (std::size_t r = 1; r < p; ++r) at[r] += took.least;
        at[0] = all_here + took.whole;
        break;
    }
}

}  // namespace hopbine::regret
