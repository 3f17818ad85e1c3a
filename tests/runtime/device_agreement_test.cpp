#include "runtime/device_agreement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace hopbine::mpi {
namespace {

/// The ranks of a communicator; one call at a time.
class Ranks {
public:
    explicit Ranks(std::size_t size) : all_(size) {}
    /// Makes a call. True: all ranks agreed in it.
    bool call(const std::vector<DeviceUse>& of) {
        std::size_t due = 0;
        const bool expected = all_[0].due();
        for (std::size_t r = 0; r < all_.size(); ++r) due += all_[r].count(of[r]);
        EXPECT_EQ(due, expected ? all_.size() : 0);
        if (due == 0) return false;
        DeviceUse most = DeviceUse::none;
        for (const DeviceAgreement& one : all_) most = std::max(most, one.seen());
        for (DeviceAgreement& one : all_) one.update(most);
        return true;
    }
    bool passes() const {
        for (const DeviceAgreement& one : all_) EXPECT_EQ(one.passes(), all_[0].passes());
        return all_[0].passes();
    }
    /// Numbers of the calls with an agreement among the next `n`. Rank 0 has the device use `use`,
    /// the others none.
    std::vector<int> agreements(int n, DeviceUse use) {
        std::vector<DeviceUse> of(all_.size(), DeviceUse::none);
        of[0] = use;
        std::vector<int> out;
        for (int i = 1; i <= n; ++i)
            if (call(of)) out.push_back(i);
        return out;
    }

private:
    std::vector<DeviceAgreement> all_;
};

using enum DeviceUse;

TEST(DeviceAgreement, IsRareWhereNothingIsLoaded) {
    EXPECT_EQ(Ranks(3).agreements(1000, none), (std::vector{1, 64, 128, 256, 512}));
}

TEST(DeviceAgreement, ComesOftenWhereOneRankHasALibrary) {
    EXPECT_EQ(Ranks(3).agreements(300, loaded),
              (std::vector{1, 2, 4, 8, 16, 32, 64, 128, 192, 256}));
}

TEST(DeviceAgreement, PassesFromTheFirstCallOnWhereOneRankUsesIt) {
    Ranks ranks(3);
    EXPECT_FALSE(ranks.passes());
    EXPECT_TRUE(ranks.call({loaded, used, none}));
    EXPECT_TRUE(ranks.passes());
}

TEST(DeviceAgreement, RemembersUseBetweenAgreements) {
    Ranks ranks(2);
    for (int i = 1; i <= 4; ++i) ranks.call({loaded, loaded});
    ranks.call({loaded, used});  // call 5
    EXPECT_FALSE(ranks.passes());
    for (int i = 6; i <= 8; ++i) ranks.call({loaded, loaded});
    EXPECT_TRUE(ranks.passes());
    for (int i = 9; i <= 15; ++i) ranks.call({loaded, loaded});
    EXPECT_TRUE(ranks.passes());
    ranks.call({loaded, loaded});  // call 16
    EXPECT_FALSE(ranks.passes());
}

TEST(DeviceAgreement, NoticesALibraryThatIsLoadedLate) {
    Ranks ranks(2);
    ranks.agreements(1000, none);
    EXPECT_EQ(ranks.agreements(200, used), (std::vector{24, 88, 152}));  // calls 1024, 1088, 1152
    EXPECT_TRUE(ranks.passes());
}

}  // namespace
}  // namespace hopbine::mpi
