// A step observer that draws a timeline: when each step of a rank's channels began and ended.
//
// The ranks are fibers of this process (tests/runtime/ranks.hpp), and a tick is a message that is
// delivered. CONTRIBUTING.md says how the same class observes the calls of MPI programs.
#include <cstdio>
#include <string>

#include "runtime/ranks.hpp"

using namespace hopbine;
using namespace hopbine::mpi;

namespace {

/// A line for each channel: the number of the step that is under way at each tick.
class Timeline final : public StepObserver {
public:
    Timeline(std::size_t channels, const int& now) : lines_(channels), now_(now) {}
    int before(const ObservedStep& step) override {
        lines_[step.channel].resize(static_cast<std::size_t>(now_), '.');
        return 0;
    }
    int after(const ObservedStep& step) override {
        lines_[step.channel].resize(static_cast<std::size_t>(now_),
                                    static_cast<char>('0' + step.number % 10));
        return 0;
    }
    /// Prints the lines, whose ticks end at `end`.
    void draw(int rank, int end) {
        for (std::size_t c = 0; c < lines_.size(); ++c) {
            lines_[c].resize(static_cast<std::size_t>(end), '.');
            std::printf("rank %d, channel %zu |%s|\n", rank, c, lines_[c].c_str());
        }
    }

private:
    std::vector<std::string> lines_;
    const int& now_;
};

}  // namespace

int main() {
    const Algorithm& a = algorithm_named(Collective::allreduce, "swing");
    const std::vector<Plan> plans = plans_of(a, {a.collective, 8, 0, {}, nullptr, {2, 4}});
    const int p = static_cast<int>(plans.size());
    Network network(p, 1);
    Vectors vectors(a.collective, plans, 1, 1);
    int now = 0;
    std::vector<Timeline> timelines;
    for (const Plan& plan : plans) timelines.emplace_back(plan.steps().channels.size(), now);
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
