// A step observer that draws a timeline: when each step of a rank's channels began and ended.
//
// The ranks are fibers of this process (tests/runtime/ranks.hpp), and a tick is a message that is
// delivered. CONTRIBUTING.md says how the same class observes the calls of MPI programs.
#include "timeline.hpp"

#include "runtime/ranks.hpp"

using namespace hopbine;
using namespace hopbine::mpi;

int main() {
    const Algorithm& a = algorithm_named(Collective::allreduce, "swing");
    const std::vector<Plan> plans = plans_of(a, {a.collective, 8, 0, {}, nullptr, {2, 4}});
    const int p = static_cast<int>(plans.size());
    Network network(p, 1);
    Vectors vectors(a.collective, plans, 1, 1);
    int now = 0;
    std::vector<Timeline> timelines;
    for (const Plan& plan : plans)
        timelines.emplace_back(plan.steps().channels.size(), [&now] { return now; });
    const auto rank = [&](int r, Fiber& fiber) {
        const auto i = static_cast<std::size_t>(r);
        NetworkTransport transport(network, r, fiber);
        RunScratch scratch;
        const PlanMemory memory = vectors.memory(r);
        PlanRunner(plans[i], memory, {&timelines[i]}, transport, Sums{}, scratch).run();
    };
    const bool ended = run_ranks(p, rank, [&] { return ++now, network.deliver(); });
    timelines.front().draw(0, now);
    for (int r = 0; r < p; ++r)
        if (!vectors.right(r)) return 1;
    return ended ? 0 : 1;
}
