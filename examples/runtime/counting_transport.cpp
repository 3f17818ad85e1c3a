// A transport that counts messages, around another one: what the allreduces of 8 ranks send.
//
// The ranks are fibers of this process (tests/runtime/ranks.hpp). CONTRIBUTING.md says how the same
// class counts the messages of MPI programs.
#include "counting_transport.hpp"

#include <cstdio>

#include "runtime/ranks.hpp"

using namespace hopbine;
using namespace hopbine::mpi;

namespace {

/// What all ranks send in an allreduce of 2 values in each position.
Count sent_by(const Algorithm& a, const std::vector<Plan>& plans, bool* right) {
    const int p = static_cast<int>(plans.size());
    Network network(p, 1);
    Vectors vectors(a.collective, plans, 2, 1);
    Count sent;
    const auto rank = [&](int r, Fiber& fiber) {
        NetworkTransport inner(network, r, fiber);
        CountingTransport transport(inner, sent);
        RunScratch scratch;
        const PlanMemory memory = vectors.memory(r);
        PlanRunner(plans[static_cast<std::size_t>(r)], memory, {}, transport, Sums{}, scratch)
            .run();
    };
    *right = run_ranks(p, rank, [&] { return network.deliver(); });
    for (int r = 0; r < p; ++r) *right &= vectors.right(r);
    return sent;
}

}  // namespace

int main() {
    bool all_right = true;
    for (const char* name : {"ring", "recursive_doubling", "rabenseifner", "swing"}) {
        const Algorithm& a = algorithm_named(Collective::allreduce, name);
        const std::vector<int> shape = a.follows_shape ? std::vector{2, 4} : std::vector<int>{};
        const std::vector<Plan> plans = plans_of(a, {a.collective, 8, 0, {}, nullptr, shape});
        bool right = false;
        const Count sent = sent_by(a, plans, &right);
        const std::int64_t vector = 2 * 8 * std::int64_t{plans.front().steps().parts};
        std::printf("%-20s %4lld messages, %6.2f vectors\n", name,
                    static_cast<long long>(sent.messages),
                    static_cast<double>(sent.elements) / static_cast<double>(vector));
        all_right &= right;
    }
    return all_right ? 0 : 1;
}
