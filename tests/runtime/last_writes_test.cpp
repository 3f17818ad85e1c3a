// What a plan has written for the last time, for every algorithm.
#include "runtime/last_writes.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

using namespace hopbine;
using namespace hopbine::mpi;

namespace {

using Position = std::pair<Space, std::int64_t>;

/// The last step that receives each position outside of slots.
std::map<Position, std::size_t> last_receives(const Plan& plan) {
    std::map<Position, std::size_t> out;
    StepScratch scratch;
    for (std::size_t s = 0; s < plan.step_count(); ++s) {
        const StepView step = plan.step(s, scratch);
        for (const Message* m = step.begin; m != step.end; ++m) {
            if (m->direction != Direction::recv) continue;
            for (std::uint32_t i = m->begin; i < m->end; ++i)
                for (std::int64_t k = 0; k < step.pieces[i].count; ++k)
                    if (step.pieces[i].space != Space::temp)
                        out[{step.pieces[i].space, step.pieces[i].first + k}] = s;
        }
    }
    return out;
}

void expect_each_once(const Plan& plan) {
    std::map<Position, std::size_t> told;
    StepScratch scratch;
    LastWrites writes(plan);
    for (std::size_t s = 0; s < plan.step_count(); ++s) {
        writes.ended(plan.step(s, scratch), s, [&](const Piece& p) {
            for (std::int64_t k = 0; k < p.count; ++k)
                ASSERT_TRUE(told.try_emplace({p.space, p.first + k}, s).second) << "twice";
        });
    }
    EXPECT_EQ(told, last_receives(plan));
}

TEST(LastWrites, AreToldOnceAndInTheirStep) {
    int tried = 0;
    for (const Algorithm* a : algorithms())
        for (const int p : {2, 3, 6, 8}) {
            if (!fits(*a, p)) continue;
            const Problem q = resolve(*a, {a->collective, p});
            const SchedulePtr schedule = a->make(q);
            for (int rank = 0; rank < p; ++rank) {
                SCOPED_TRACE(std::string(a->name) + " on rank " + std::to_string(rank));
                const Plan plan = make_plan(*a, q, *schedule, rank, false);
                if (!plan.channels.empty()) continue;
                expect_each_once(plan);
                ++tried;
            }
        }
    EXPECT_GT(tried, 1000);
}

}  // namespace
