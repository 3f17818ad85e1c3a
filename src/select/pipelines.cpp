#include "select/pipelines.hpp"

#include <algorithm>

#include "combinators/segments.hpp"

namespace hopbine::select {

const Parameter* segments_of(const Algorithm& a) {
    const auto found = std::ranges::find(a.parameters, Kind::segments, &Parameter::kind);
    return found == a.parameters.end() ? nullptr : &*found;
}

Parameters in_segments(const Algorithm& a, Parameters given, std::int64_t n) {
    const Parameter* const of = segments_of(a);
    if (of && std::ranges::none_of(given, [&](auto& one) { return one.first == of->name; }))
        given.emplace_back(of->name, n);
    return given;
}

Parameters with_segments(const Algorithm& a, Parameters given, int p, std::int64_t bytes,
                         double alpha, double beta) {
    const Parameters one = in_segments(a, given, 1);
    if (bytes < 0 || one.size() == given.size()) return given;
    const Claim whole = a.claim(resolve(a, {a.collective, p, 0, one}));
    return in_segments(a, std::move(given),
                       segments::best(whole.steps, static_cast<double>(bytes), alpha, beta));
}

}  // namespace hopbine::select
