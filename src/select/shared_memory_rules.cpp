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
    std::int64_t k_of_few;  ///< its radix; 0: the default, or it has none
    const char* many;
    std::int64_t k_of_many = 0;
    std::int64_t most_bytes = 8192;  ///< that fit (Mailbox::kMostBytes), and are faster so
};

using enum Collective;
constexpr SharedMemoryRow kSharedMemoryTable[] = {
    {allreduce, true, "recursive_multiplying", kFew, "recursive_multiplying"},
    {reduce, true, "linear", 0, "knomial"},
    {reduce_scatter, true, "recursive_multiplying", kFew, "recursive_multiplying"},
    {scan, true, "recursive_doubling", kFew, "recursive_doubling"},
    {exscan, true, "recursive_doubling", kFew, "recursive_doubling", 0, 2048},
    {bcast, false, "linear", 0, "knomial"},
    {gather, false, "linear", 0, "knomial"},
    {scatter, false, "linear", 0, "knomial"},
    {allgather, false, "recursive_multiplying", kFew, "recursive_multiplying"},
    {alltoall, false, "linear", 0, "bruck", 4},
    {barrier, false, "dissemination", kFew, "dissemination", 4},
};

Parameters radix(std::int64_t k) { return k ? Parameters{{"k", k}} : Parameters{}; }

Rules rules_of(bool all) {
    constexpr const char* kWhy = "small, on one node: messages through shared memory";
    Rules out;
    out.skip_unfit = true;
    for (const SharedMemoryRow& row : kSharedMemoryTable) {
        if (!row.sums && !all) continue;
        const Range sizes{0, row.most_bytes};
        out.rules.push_back({row.collective, row.few, radix(row.k_of_few), kWhy, {2, kFew}, sizes});
        out.rules.push_back(
            {row.collective, row.many, radix(row.k_of_many), kWhy, {kFew + 1, kMostRanks}, sizes});
    }
    return out;
}

}  // namespace

const Rules& shared_memory_rules(bool all) {
    static const Rules every = rules_of(true), sums = rules_of(false);
    return all ? every : sums;
}

}  // namespace hopbine::select
