// The default table of rules. The first matching row wins; a row is skipped if its algorithm does
// not serve p or the operation. Bytes are those of:
// - the vector for bcast, reduce, allreduce, reduce_scatter, scan and exscan;
// - the maximum send size over all ranks for alltoallv;
// - one block times p for the others.
//
// Thresholds follow the paper's evaluation (Bine SC'25, Sec. 5 and Fig. 14). They mark where
// latency gives way to bandwidth and are not tuned for one machine.
#include "select/rules.hpp"

namespace hopbine::select {

namespace {
constexpr std::int64_t KiB = 1024, any = std::numeric_limits<std::int64_t>::max();

struct DefaultRow {
    Collective collective;
    std::int64_t fewest_ranks, most_bytes;
    const char* algorithm;
    const char* why;
    std::int64_t fewest_nodes = 1, fewest_on_a_node = 1;
    std::pair<const char*, std::int64_t> parameter = {};  ///< its name null: none
};

using enum Collective;
constexpr std::int64_t kManyRanks = 65'537;
constexpr const char* kSmallPlan = "many ranks: a plan that does not grow with their number";

constexpr DefaultRow kDefaultTable[] = {
    {bcast, 3, 16 * KiB, "bine_small", "small: one tree, log2(p) messages on the longest path"},
    {bcast, 3, any, "bine_large",
     "large: every rank receives the vector once and sends about as much"},
    {reduce, 3, 16 * KiB, "bine_small", "small: one tree, log2(p) messages on the longest path"},
    {reduce, 3, any, "bine_large", "large: 2 n bytes a rank at most instead of n log2(p)"},
    {allreduce, 3, 4 * KiB, "bine_small",
     "small, and nothing is rounded: half the steps; the whole vector still fits one packet"},
    {allreduce, 3, 4 * KiB, "recursive_multiplying",
     "small, and sums may be rounded: all ranks add up in one order"},
    {allreduce, 3, any, "bine_large", "large: 2 n bytes a rank instead of n log2(p)"},
    {reduce_scatter, kManyRanks, any, "bine_two_transmissions", kSmallPlan},
    {reduce_scatter, 3, 64 * KiB, "bine_permute",
     "small and p a power of two: one message a step, permuting is cheap"},
    {reduce_scatter, 3, any, "bine_block_by_block",
     "large: permuting costs more than more messages (Fig. 14)"},
    {allgather, kManyRanks, any, "bine_two_transmissions", kSmallPlan},
    {allgather, 3, 64 * KiB, "bine_permute",
     "small and p a power of two: one message a step, permuting is cheap"},
    {allgather, 3, any, "bine_block_by_block",
     "large: permuting costs more than more messages (Fig. 14)"},
    {gather, 3, any, "bine", "one tree; a subtree is at most two runs"},
    {scatter, 3, any, "bine", "one tree; a subtree is at most two runs"},
    {scan, 3, any, "hierarchical", "a node hands on one sum, not that of every rank", 2, 2},
    {scan, 3, 64 * KiB, "recursive_doubling", "small: log2(p) steps"},
    {scan, 3, any, "chain", "large: every rank sends the vector once, in segments"},
    {exscan, 3, any, "hierarchical", "a node hands on one sum, not that of every rank", 2, 2},
    {exscan, 3, 64 * KiB, "recursive_doubling", "small: log2(p) steps and a shift"},
    {exscan, 3, any, "chain", "large: every rank sends two vectors, in segments"},
    // On one node the library's barriers need no messages.
    {barrier, 3, any, "hierarchical", "log2(nodes) messages of a node, not of every rank", 2, 2},
    {barrier, 3, any, "dissemination", "log2(p) steps, all ranks alike", 2},
    // Blocks take log2(p)/2 hops on average, so few steps pay only for small blocks (Sec. 5.1.2).
    {alltoall, 8, 32 * KiB, "bine", "small blocks: log2(p) messages instead of p - 1"},
    {alltoallv, kManyRanks, any, kLibrary, "many ranks: a plan would be larger than their counts"},
    // The bytes are the maximum send size over all ranks. Over a network fewer messages pay for
    // larger blocks (docs/alltoallv.md, the emulated network).
    {alltoallv,
     24,
     8 * KiB,
     "parlogna",
     "small blocks over a network: log2(p) messages instead of p - 1",
     2,
     1,
     {"r", 2}},
    {alltoallv, 24, 32 * KiB, "parlogna",
     "middling blocks over a network: about 2 sqrt(p) messages instead of p - 1", 2},
    {alltoallv, 24, 512 * KiB, "parlinna",
     "larger blocks over a network: one message to every node", 2, 2},
    // On one node blocks pass memory twice, so larger blocks pay only if more messages are saved.
    {alltoallv, 64, 64 * KiB, "parlogna",
     "small blocks of many ranks: about 2 sqrt(p) messages instead of p - 1"},
    {alltoallv, 64, 512 * KiB, "spread_out",
     "middling blocks of many ranks: all messages in flight at once, not one after the other"},
    {alltoallv, 32, 16 * KiB, "parlogna",
     "small blocks: about 2 sqrt(p) messages instead of p - 1"},
    {alltoallv, 24, 8 * KiB, "parlogna", "small blocks: about 2 sqrt(p) messages instead of p - 1"},
};
}  // namespace

const Rules& default_rules() {
    static const Rules table = [] {
        Rules t;
        t.skip_unfit = true;
        for (const DefaultRow& row : kDefaultTable)
            t.rules.push_back(
                {row.collective,
                 row.algorithm,
                 row.parameter.first ? Parameters{row.parameter} : Parameters{},
                 std::string("default: ") + row.why,
                 {row.fewest_ranks, any},
                 {0, row.most_bytes},
                 row.fewest_nodes > 1 ? Range{row.fewest_nodes, any} : Range{},
                 row.fewest_on_a_node > 1 ? Range{row.fewest_on_a_node, any} : Range{}});
        return t;
    }();
    return table;
}

}  // namespace hopbine::select
