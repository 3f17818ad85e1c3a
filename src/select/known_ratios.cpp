#include "select/known_ratios.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

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

KnownLibrary::KnownLibrary(const std::string& version, bool shares)
    : version_(version), shares_(shares) {}

bool KnownLibrary::matches(const KnownRatio& row, double bytes) const {
    return row.shares == shares_ && version_.starts_with(row.library) &&
           row.bytes == std::string_view(bytes_class(bytes));
}

Belief KnownLibrary::untried(Collective c, double bytes) const {
    for (const KnownRatio& row : kRows)
        if (matches(row, bytes) && row.collective == std::string_view(name(c)))
            return belief_of(row);
    return kUntried;
}

double KnownLibrary::claimed(double bytes) const {
    double out = 0;
    for (const KnownRatio& row : kRows)
        if (matches(row, bytes)) out = std::max(out, belief_of(row).sure_gain());
    return out;
}

}  // namespace hopbine::select
