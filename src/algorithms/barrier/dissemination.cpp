// Dissemination of radix k. In step x a rank knows of k^x ranks and signals those at the multiples
// of k^x below it, as in Bruck's concatenation.
#include "combinators/combinators.hpp"
#include "families/exchange/bruck.hpp"
#include "families/radix.hpp"
#include "families/tree/tree.hpp"

namespace hopbine::registered {

Algorithm barrier_dissemination{
    .collective = Collective::barrier,
    .name = "dissemination",
    .summary = "every rank signals ranks at growing distances, log_k(p) steps for any p",
    .paper = "Hensgen, Finkel, Manber IJPP'88",
    .section = "dissemination",
    .parameters = {radix::of_signals},
    .claim =
        [](const Problem& q) {
            const int k = radix::k(q), steps = ceil_log(k, q.p);
            std::int64_t sent = 0;
            for (int x = 0; x < steps; ++x) sent += digit_values(q.p, k, x);
            return Claim{steps, sent * q.p};
        },
    .make = [](const Problem& q) -> SchedulePtr {
        return signals(bruck_concatenation(q.p, radix::k(q)));
    },
};

}  // namespace hopbine::registered
