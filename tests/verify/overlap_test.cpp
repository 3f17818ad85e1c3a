// Calls under way at once, and rules and schedules with which they would meet each other's
// messages.
#include "verify/overlap.hpp"

#include <gtest/gtest.h>

#include "combinators/combinators.hpp"

using namespace hopbine;

namespace {

using Form = CallUnderWay::Form;

SchedulePtr made(Collective c, const char* name, int p, const std::vector<int>& shape = {}) {
    const Algorithm& a = algorithm_named(c, name);
    Problem q{c, p};
    q.shape = shape;
    return a.make(resolve(a, q));
}

/// What is wrong with any order that is tried; empty: nothing.
std::string wrong(int p, const std::vector<CallUnderWay>& calls, const Lanes& lanes) {
    for (unsigned seed = 0; seed < 30; ++seed)
        if (const std::string why = check_overlap(p, calls, lanes, seed); !why.empty()) return why;
    return {};
}

/// Each algorithm with every seventh of all, so that most pairs of collectives occur.
TEST(Overlap, AcceptsPairsOfAlgorithmsOnTwoLanes) {
    constexpr int p = 6;
    constexpr std::size_t kStride = 7;
    std::vector<std::pair<const Algorithm*, SchedulePtr>> all;
    for (const Algorithm* a : algorithms())
        if (fits(*a, p))
            all.emplace_back(a, a->make(resolve(*a, {.collective = a->collective, .p = p})));
    unsigned seed = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i % kStride; j < all.size(); j += kStride) {
            const auto& [a, one] = all[i];
            const auto& [b, other] = all[j];
            const auto sized = [](const Algorithm* x) {
                return x->collective == Collective::alltoallv;
            };
            const std::vector<CallUnderWay> calls = {{one, Form::nonblocking, sized(a)},
                                                     {other, Form::nonblocking, sized(b)},
                                                     {one, Form::nonblocking, sized(a)},
                                                     {other, Form::persistent, sized(b)}};
            ASSERT_EQ(check_overlap(p, calls, {2}, ++seed), "") << a->name << ' ' << b->name;
        }
}

TEST(Overlap, RefusesARuleWithTooFewTagsForACall) {
    const SchedulePtr torus = made(Collective::allreduce, "bucket", 8, {2, 4}),
                      ring = made(Collective::allgather, "ring", 8);
    ASSERT_EQ(torus->traits().channels, 4);
    const std::vector<CallUnderWay> calls = {{torus}, {ring}, {torus}, {ring, Form::persistent}};
    for (const int each : {1, 2, 3})
        EXPECT_NE(wrong(8, calls, {3, {each}}).find("receives with tag"), std::string::npos)
            << each;
    EXPECT_EQ(wrong(8, calls, {3, {4}}), "");
}

TEST(Overlap, RefusesOneTagForMessagesAndTheirRests) {
    const SchedulePtr bruck = made(Collective::alltoallv, "parlogna", 6);
    const std::vector<CallUnderWay> calls(3, {bruck, Form::nonblocking, true});
    EXPECT_NE(wrong(6, calls, {2, {1}}), "");
    EXPECT_EQ(wrong(6, calls, {2, {2}}), "");
}

TEST(Overlap, RefusesAScheduleWithMoreChannelsThanACallHasTags) {
    /// A ring whose steps each have a channel of their own.
    class Wide : public Schedule {
    public:
        explicit Wide(SchedulePtr inner)
            : Schedule({.channels = inner->steps()}), inner_(std::move(inner)) {}
        int steps() const override { return inner_->steps(); }
        void moves(int rank, int s, Step& out) const override {
            inner_->moves(rank, s, out);
            for (Move& m : out) m.channel = s;
        }

    private:
        SchedulePtr inner_;
    };
    const auto wide = std::make_shared<Wide>(made(Collective::allgather, "ring", 66));
    ASSERT_EQ(wide->traits().channels, 65);
    const std::string why = check_overlap(66, {{wide}, {wide}}, {}, 0);
    EXPECT_NE(why.find("receives with tag 64 for call"), std::string::npos) << why;
}

/// The schedule with the messages of some ranks changed.
class Changed : public Schedule {
public:
    using Change = std::function<void(int rank, int step, Step& moves)>;
    Changed(SchedulePtr inner, Change change)
        : Schedule(inner->traits()), inner_(std::move(inner)), change_(std::move(change)) {}
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        inner_->moves(rank, s, out);
        change_(rank, s, out);
    }

private:
    SchedulePtr inner_;
    Change change_;
};

TEST(Overlap, RefusesACallThatWaitsForAnother) {
    // Rank 1 leaves a message of rank 0 to its next call: alone it would never arrive.
    const auto late = std::make_shared<Changed>(made(Collective::bcast, "linear", 3),
                                                [](int rank, int, Step& moves) {
                                                    if (rank == 1) moves.clear();
                                                });
    EXPECT_NE(wrong(3, {{late}, {made(Collective::bcast, "linear", 3)}}, {1}), "");
    EXPECT_NE(wrong(3, {{late}}, {16}).find("waits for ever in call 0"), std::string::npos);
}

TEST(Overlap, RefusesMessagesThatEndsPostInOtherOrders) {
    const auto swapped = std::make_shared<Changed>(
        per_run(made(Collective::gather, "linear", 2)), [](int rank, int, Step& moves) {
            const auto direction = rank == 0 ? Direction::recv : Direction::send;
            moves = {{direction, Op::copy, 1 - rank, BlockSet::single(rank)},
                     {direction, Op::copy, 1 - rank, BlockSet::single(1 - rank)}};
        });
    EXPECT_NE(wrong(2, {{swapped}}, {2}).find("receives blocks 1 of step 0 of call 0 from rank 1"),
              std::string::npos)
        << wrong(2, {{swapped}}, {2});
}

}  // namespace
