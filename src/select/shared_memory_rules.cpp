// What serves small nonblocking and persistent calls of ranks that share memory, where the messages
// go through it (runtime/mailboxes.hpp). Measured with benchmarks/nonblocking.c
// (docs/nonblocking.md).
#include "select/rules.hpp"

namespace hopbine::select {

namespace {

/// Up to this many ranks a message to each costs less than a second step.
constexpr std::int64_t kFew = 8, kMostRanks = 64, kMostBytes = 8192;

struct SharedMemoryRow {
    Collective collective;
    bool sums;  ///< every MPI library takes longer for these
    const char* few;
    Parameters of_few;
    const char* many;
    Parameters of_many = {};
    std::int64_t most_bytes = 8192;  ///< that fit (Mailbox::kMostBytes), and are faster so
};

using enum Collective;
const SharedMemoryRow kSharedMemoryTable[] = {
    {allreduce, true, "recursive_multiplying", {{"k", kFew}}, "recursive_multiplying"},
    {reduce, true, "linear", {}, "knomial"},
    {reduce_scatter, true, "recursive_multiplying", {{"k", kFew}}, "recursive_multiplying"},
    {scan, true, "recursive_doubling", {{"k", kFew}}, "recursive_doubling"},
    {exscan, true, "recursive_doubling", {{"k", kFew}}, "recursive_doubling", {}, 2048},
    {bcast, false, "linear", {}, "knomial"},
    {gather, false, "linear", {}, "knomial"},
    {scatter, false, "linear", {}, "knomial"},
    {allgather, false, "recursive_multiplying", {{"k", kFew}}, "recursive_multiplying"},
    {alltoall, false, "linear", {}, "bruck", {{"k", 4}}},
    {barrier, false, "dissemination", {{"k", kFew}}, "dissemination", {{"k", 4}}},
};

Rules rules_of(bool all) {
    constexpr const char* kWhy = "small, on one node: messages through shared memory";
    Rules out;
    out.skip_unfit = true;
    for (const SharedMemoryRow& row : kSharedMemoryTable) {
        if (!row.sums && !all) continue;
        const Range sizes{0, row.most_bytes};
        out.rules.push_back({row.collective, row.few, row.of_few, kWhy, {2, kFew}, sizes});
        out.rules.push_back(
            {row.collective, row.many, row.of_many, kWhy, {kFew + 1, kMostRanks}, sizes});
    }
    return out;
}

}  // namespace

const Rules& shared_memory_rules(bool all) {
    static const Rules every = rules_of(true), sums = rules_of(false);
    return all ? every : sums;
}

}  // namespace hopbine::select
