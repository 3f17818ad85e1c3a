#include "select/known_ratios.hpp"

#include <algorithm>
#include <cmath>

#include "select/model_errors.hpp"

namespace hopbine::select {

namespace {

constexpr KnownRatio kRows[] = {
#include "select/known_ratios.inc"
};

/// Another machine differs by as much at least as where nothing is known.
Belief belief_of(const KnownRatio& row) {
    return {std::log(row.ratio), std::max(std::log(row.factor), kUntried.deviation)};
}

}  // namespace

std::span<const KnownRatio> known_ratios() { return kRows; }

KnownLibrary::KnownLibrary(const std::string& version, bool shares) {
    for (const KnownRatio& row : kRows) {
        if (row.shares != shares || !version.starts_with(row.library)) continue;
        const Belief untried = belief_of(row);
        rows_.push_back(
            {collective_named(row.collective), row.bytes, untried, untried.sure_gain()});
    }
}

Belief KnownLibrary::untried(Collective c, double bytes) const {
    for (const Known& row : rows_)
        if (row.collective == c && row.bytes == bytes_class(bytes)) return row.untried;
    return kUntried;
}

double KnownLibrary::claimed(double bytes) const {
    double out = 0;
    for (const Known& row : rows_)
        if (row.bytes == bytes_class(bytes)) out = std::max(out, row.claimed);
    return out;
}

}  // namespace hopbine::select
