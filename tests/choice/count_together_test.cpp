// What ranks count together, and what those of a node tell each other.
#include <gtest/gtest.h>

#include <random>

#include "choice/chooser.hpp"
#include "choice/gather_neighbors.hpp"
#include "choice/members_in_fibers.hpp"

using namespace hopbine;
using namespace hopbine::mpi;

namespace {

/// Nodes of 1 to 4 ranks, dealt to two groups.
void begin_drawn_job(std::mt19937& random, std::size_t ranks) {
    std::vector<std::uint64_t> nodes, groups;
    for (std::uint64_t node = 1; nodes.size() < ranks; ++node) {
        const std::uint64_t group = node <= 2 ? node : 1 + random() % 2;
        for (std::size_t i = 0; i <= random() % 4 && nodes.size() < ranks; ++i) {
            nodes.push_back(node);
            groups.push_back(group);
        }
    }
    begin_job(nodes, groups);
}

select::Bytes packed(const std::vector<select::Loads>& all) {
    select::Bytes out;
    for (const select::Loads& one : all) select::pack(one, out);
    return out;
}

TEST(CountTogether, IsTheCountOfOneRankAlone) {
    std::mt19937 random(5);
    for (const std::size_t p : {17u, 24u, 40u}) {
        begin_drawn_job(random, p);
        const select::LocatedRanks located(job().placement(job().all()), {});
        const auto numberings = select::numberings(*located.placement);
        const auto candidates = select::candidates(Collective::allreduce, *located.placement,
                                                   numberings, located.torus.shape(), false);
        ASSERT_GT(candidates.size(), 3u);
        std::vector<select::Loads> alone;
        for (const select::Candidate& one : candidates)
            alone.push_back(select::measure(
                one, numberings[static_cast<std::size_t>(one.numbering)], 0, located));
        int right = 0;
        EXPECT_TRUE(run_members(Form::blocking, [&](Members& members) {
            right += packed(count_together(candidates, numberings, 0, members)) == packed(alone);
        }));
        EXPECT_EQ(right, static_cast<int>(p));
    }
}

TEST(GatherNeighbors, TellsTheRanksOfANodeAll) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 20; ++trial) {
        begin_drawn_job(random, 3 + random() % 12);
        const int p = static_cast<int>(job().ranks.size());
        std::vector<Neighbors> all(static_cast<std::size_t>(p));
        for (Neighbors& one : all) {
            one.cartesian = random() % 2;
            for (std::vector<int>* ranks : {&one.sources, &one.destinations})
                for (unsigned i = random() % 5; i > 0; --i)
                    ranks->push_back(static_cast<int>(random() % (p + 1)) - 1);
        }
        EXPECT_TRUE(run_members(Form::blocking, [&](Members& members) {
            const Units& nodes = members.located().nodes;
            const auto& node = nodes.members(nodes.of(members.rank));
            const auto told =
                gather_neighbors(all[static_cast<std::size_t>(members.rank)], node, members);
            ASSERT_EQ(told.size(), node.size());
            for (std::size_t i = 0; i < told.size(); ++i) {
                const Neighbors& wanted = all[static_cast<std::size_t>(node[i])];
                EXPECT_EQ(told[i].sources, wanted.sources);
                EXPECT_EQ(told[i].destinations, wanted.destinations);
                EXPECT_EQ(told[i].cartesian, wanted.cartesian);
            }
        }));
    }
}

}  // namespace
