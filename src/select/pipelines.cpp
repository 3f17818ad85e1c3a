#include "select/pipelines.hpp"

#include <algorithm>

#include "combinators/segments.hpp"

namespace hopbine::select {

Parameters with_segments(const Algorithm& a, Parameters given, int p, std::int64_t bytes,
                         double alpha, double beta) {
    const auto of = std::ranges::find(a.parameters, Kind::segments, &Parameter::kind);
    if (of == a.parameters.end() || bytes < 0) return given;
    for (const auto& [key, value] : given)
        if (key == of->name) return given;
    Parameters one = given;
    one.emplace_back(of->name, 1);
    const Claim whole = a.claim(resolve(a, {a.collective, p, 0, one}));
    given.emplace_back(of->name,
                       segments::best(whole.steps, static_cast<double>(bytes), alpha, beta));
    return given;
}

}  // namespace hopbine::select
