// What a plan has written for the last time, for every algorithm.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "runtime/mirror.hpp"

using namespace hopbine;
using namespace hopbine::mpi;

namespace {

using Position = std::pair<Space, std::int64_t>;

/// A step by its channel and its number.
using Number = std::pair<std::uint32_t, std::uint32_t>;

Number number(const ObservedStep& step) { return {step.channel, step.number}; }

/// The last step that receives each position outside of slots.
std::map<Position, Number> last_receives(const Steps& plan) {
    std::map<Position, Number> out;
    StepScratch scratch;
    each_step(plan, scratch, [&](const ObservedStep& step) {
        each_piece(step.view, [&](const Message& m, const Piece& p) {
            if (m.direction == Direction::recv && p.space != Space::temp)
                for (std::int64_t k = 0; k < p.count; ++k)
                    out[{p.space, p.first + k}] = number(step);
        });
    });
    return out;
}

void expect_each_once(const Steps& plan) {
    std::map<Position, Number> told;
    StepScratch scratch;
    LastWrites writes(plan);
    each_step(plan, scratch, [&](const ObservedStep& step) {
        writes.ended(step, [&](const Piece& p) {
            for (std::int64_t k = 0; k < p.count; ++k)
                ASSERT_TRUE(told.try_emplace({p.space, p.first + k}, number(step)).second)
                    << "twice";
        });
    });
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
                expect_each_once(plan.steps());
                ++tried;
            }
        }
    EXPECT_GT(tried, 1000);
}

}  // namespace
