// When the devices of a node's ranks may serve calls by themselves.
#include "choice/by_devices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace hopbine::mpi {
namespace {

constexpr int kRanks = 4, kClass = 20;
constexpr std::int64_t kBytes = 512 << 10;
const ModelledCall kModel(kRanks, kRanks, kBytes);
/// A call that takes so long would gain a millisecond, if kernels took as long as they may.
const double kCall = 1e-3 + ModelledCall::kError * kModel.kernels;

/// What ranks agree on.
void agree(std::vector<ByDevices>& ranks) {
    ByDevices::Told most = ranks.front().tell();
    for (const ByDevices& r : ranks)
        std::ranges::transform(most, r.tell(), most.begin(),
                               [](double a, double b) { return std::max(a, b); });
    for (ByDevices& r : ranks) r.hear(most);
}

void note(ByDevices& rank, int calls, Collective c = Collective::allreduce, int size = kClass) {
    for (int i = 0; i < calls; ++i) rank.note(c, size, kModel, kCall, nullptr);
}

TEST(ByDevices, BeginOnceTheSlowestRankWouldHaveGainedTheSetUp) {
    const int enough = static_cast<int>(kRanks * ByDevices::kSetUp / 1e-3) + 1;
    std::vector<ByDevices> ranks(kRanks);
    for (ByDevices& r : ranks) note(r, enough);
    ranks[1] = {};
    note(ranks[1], enough - 5);
    agree(ranks);
    for (ByDevices& r : ranks) EXPECT_FALSE(r.begins(kRanks));
    note(ranks[1], 5);
    agree(ranks);
    for (ByDevices& r : ranks) {
        EXPECT_TRUE(r.begins(kRanks));
        EXPECT_FALSE(r.begins(kRanks));
        EXPECT_NEAR(r.agreed_gain(), enough * 1e-3, 1e-9);
    }
}

TEST(ByDevices, ServeTheCollectivesAndSizesThatAllRanksHaveOnDevices) {
    std::vector<ByDevices> ranks(kRanks);
    for (ByDevices& r : ranks) note(r, 1000);
    for (ByDevices& r : ranks) note(r, 1, Collective::bcast, kClass - 2);
    note(ranks[2], 1, Collective::allreduce, kClass - 5);
    note(ranks[2], 1, Collective::alltoall, kClass);
    agree(ranks);
    for (ByDevices& r : ranks) {
        EXPECT_FALSE(r.may_serve(Collective::allreduce, kClass));
        ASSERT_TRUE(r.begins(kRanks));
        EXPECT_TRUE(r.may_serve(Collective::allreduce, kClass));
        EXPECT_TRUE(r.may_serve(Collective::allreduce, kClass + 3));
        EXPECT_FALSE(r.may_serve(Collective::allreduce, kClass - 1));
        EXPECT_TRUE(r.may_serve(Collective::bcast, kClass - 2));
        EXPECT_FALSE(r.may_serve(Collective::alltoall, kClass));
        EXPECT_FALSE(r.may_serve(Collective::scan, kClass));
    }
}

TEST(ByDevices, CallsThatKernelsWouldNotSpeedUpGainNothing) {
    ByDevices rank;
    for (int i = 0; i < 1000; ++i)
        rank.note(Collective::allreduce, kClass, kModel, kModel.kernels, nullptr);
    rank.hear(rank.tell());
    EXPECT_EQ(rank.agreed_gain(), 0);
    EXPECT_FALSE(rank.begins(kRanks));
}

/// What a call takes between nodes stays: however long that is, no more than the copies within a
/// node is claimed.
TEST(ByDevices, BetweenNodesOnlyWhatIsSavedWithinANodeIsClaimed) {
    constexpr int kNodes = 3;
    const ModelledCall across(kNodes * kRanks, kRanks, kBytes);
    EXPECT_GT(across.kernels, kModel.kernels);
    EXPECT_GT(across.between, 0);
    EXPECT_EQ(across.copies, kModel.copies);
    const double most = across.gain(across.copies);
    EXPECT_GT(most, 0);
    EXPECT_LT(most, across.copies - across.between);
    EXPECT_EQ(across.gain(1), most);
    EXPECT_LT(across.gain(across.copies / 2), most);
    const double saved = across.copies - across.between - across.kernels;
    EXPECT_NEAR(across.ratio(1, 0), 1 - saved, 1e-12);
    EXPECT_NEAR(across.ratio(1, 0.25), 0.25 - saved, 1e-12);
    EXPECT_NEAR(across.ratio(0, 0), (across.between + across.kernels) / across.copies, 1e-12);
    EXPECT_NEAR(kModel.ratio(1, 0.25), kModel.kernels / kModel.copies, 1e-12);
    // A short call takes the kernels of two, and its copies anyway.
    EXPECT_LT(ModelledCall(kNodes * kRanks, kRanks, 8).gain(1), 0);
}

}  // namespace
}  // namespace hopbine::mpi
