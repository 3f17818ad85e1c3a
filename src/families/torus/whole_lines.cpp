#include "families/torus/whole_lines.hpp"

#include "combinators/combinators.hpp"
#include "families/claims.hpp"
#include "families/ports.hpp"
#include "schedule/integers.hpp"

namespace hopbine::torus {

Line folded_line(std::function<SchedulePtr(int core, int n)> exchange) {
    return [exchange = std::move(exchange)](int n) {
        return folded(exchange(1 << floor_log2(n), n), n);
    };
}

Claim folded_lines_claim(const Problem& q) {
    Claim all{0, 0};
    for (int n : q.shape) {
        Problem line = q;
        line.p = n;
        const Claim one = claims::folded_butterfly(line);
        all.steps += one.steps;
        all.blocks += one.blocks / n * (q.p / n) * q.p * ports::parts(q);
    }
    return all;
}

}  // namespace hopbine::torus
