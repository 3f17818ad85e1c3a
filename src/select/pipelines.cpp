#include "select/pipelines.hpp"

#include <algorithm>

#include "combinators/segments.hpp"

namespace hopbine::select {

Parameters with_segments(const Algorithm& a, Parameters given, int p, const std::vector<int>& shape,
                         std::int64_t bytes, double alpha, double beta, double within) {
    const auto of = std::ranges::find(a.parameters, Kind::segments, &Parameter::kind);
    if (of == a.parameters.end() || bytes < 0) return given;
    for (const auto& [key, value] : given)
        if (key == of->name) return given;
    Parameters one = given;
    one.emplace_back(of->name, 1);
    const Claim whole = a.claim(
        resolve(a, {.collective = a.collective, .p = p, .parameters = one, .shape = shape}));
    given.emplace_back(
        of->name, segments::best(whole.steps, static_cast<double>(bytes), alpha, beta, within));
    return given;
}

}  // namespace hopbine::select
