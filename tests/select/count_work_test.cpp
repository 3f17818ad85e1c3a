// What it takes to count candidates, at numbers of ranks that suit none of them: in bytes asked of
// the heap, on which sets of blocks are made. Times would tell of the machine.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <new>
#include <string>

#include "select/loads.hpp"

namespace {
thread_local std::int64_t asked = 0;  // bytes
}

// Not inlined: a compiler that sees one of a pair takes the other for a mistake.
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    asked += static_cast<std::int64_t>(bytes);
    return std::malloc(bytes);
}
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    void* const out = operator new(bytes, std::nothrow);
    if (!out) throw std::bad_alloc();
    return out;
}
[[gnu::noinline]] void operator delete(void* at) noexcept { std::free(at); }
[[gnu::noinline]] void operator delete(void* at, std::size_t) noexcept { std::free(at); }

using namespace hopbine;

namespace {

/// Nodes of `per_node` ranks, the last one of fewer, in groups of unequal size.
Placement uneven(int p, int per_node) {
    Placement out;
    for (int r = 0; r < p; ++r) {
        const std::int64_t node = r / per_node, all = p / per_node;
        out.node.push_back(static_cast<int>(node));
        out.group.push_back(static_cast<int>(12 * node * (node + all) / (all * all)));
    }
    return out;
}

/// Bytes asked for by counting each candidate of each collective, for every step of a rank and for
/// every message.
std::map<std::string, double> bytes_per_move(int p, int per_node, const std::vector<int>& torus) {
    const select::Numbering given{"given", {}, {}};
    const Placement place = uneven(p, per_node);
    const select::LocatedRanks located(place, torus);
    std::map<std::string, double> out;
    for (int c = 0; c < kCollectives; ++c) {
        const auto collective = static_cast<Collective>(c);
        if (!select::counts(collective)) continue;
        for (const auto& one : select::candidates(collective, place, {given}, torus, true)) {
            const std::int64_t before = asked;
            const select::Loads loads = select::measure(one, given, 0, located);
            const auto bytes = static_cast<double>(asked - before);
            std::string what = std::string(name(collective)) + ' ' + one.algorithm->name;
            for (const auto& [key, value] : one.parameters)
                what += ' ' + key + '=' + std::to_string(value);
            out[what] = bytes / static_cast<double>(std::int64_t{p} * loads.patterns +
                                                    loads.totals[select::all_messages]);
        }
    }
    return out;
}

/// Counts on few ranks and on four times as many. Sets of blocks would be four times as large.
void expect_no_growth(int few, const std::vector<int>& small, int many,
                      const std::vector<int>& large, int per_node) {
    const auto before = bytes_per_move(few, per_node, small),
               after = bytes_per_move(many, per_node, large);
    ASSERT_GT(before.size(), 100u);
    for (const auto& [what, bytes] : after)
        if (const auto known = before.find(what); known != before.end()) {
            EXPECT_LT(bytes, 2 * known->second + 64) << what << ", " << per_node << " per node";
        }
}

TEST(CountWork, GrowsNoFasterThanTheMoves) {
    expect_no_growth(251, {}, 1009, {}, 1);  // primes
    expect_no_growth(251, {}, 1009, {}, 4);
    expect_no_growth(254, {}, 1022, {}, 1);
}

TEST(CountWork, GrowsNoFasterThanTheMovesOnATorus) {
    expect_no_growth(11 * 23, {11, 23}, 23 * 45, {23, 45}, 1);
    expect_no_growth(5 * 7 * 7, {5, 7, 7}, 9 * 11 * 11, {9, 11, 11}, 1);
}

}  // namespace
