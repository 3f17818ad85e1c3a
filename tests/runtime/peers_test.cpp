// Places in the memory that other ranks' devices copy from.
#include "runtime/peers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace hopbine::mpi {
namespace {

constexpr std::int64_t kBytes = 64 << 10;

class PlacesOf : public testing::Test {
protected:
    /// Stands for a device's memory, of which only addresses matter here.
    Memory& device() { return *reinterpret_cast<Memory*>(memory_.data()); }
    std::vector<char> memory_ = std::vector<char>(kBytes);
    PeerWorkspace places_{device(), memory_.data(), kBytes};
};

TEST_F(PlacesOf, DoNotMeetAndFillGaps) {
    char *const first = places_.take(1000), *const second = places_.take(20000),
                *const third = places_.take(1);
    ASSERT_TRUE(first && second && third);
    EXPECT_GE(second, first + 1000);
    EXPECT_GE(third, second + 20000);
    places_.give_back(second);
    char* const again = places_.take(15000);
    EXPECT_EQ(again, second);
    EXPECT_GT(places_.take(10000), third) << "what is left of the gap is too small";
    EXPECT_EQ(places_.offset(again), again - memory_.data());
}

TEST_F(PlacesOf, EndWithTheMemory) {
    EXPECT_EQ(places_.take(kBytes + 1), nullptr);
    char* const all = places_.take(kBytes);
    ASSERT_NE(all, nullptr);
    EXPECT_EQ(places_.take(1), nullptr);
    EXPECT_TRUE(places_.has(all + kBytes - 1));
    EXPECT_FALSE(places_.has(all + kBytes));
    places_.give_back(all);
    EXPECT_EQ(places_.take(kBytes), all);
}

TEST_F(PlacesOf, AreOfOneThreadAtATime) {
    const auto use = [this](char mark) {
        for (int i = 0; i < 2000; ++i) {
            const std::int64_t bytes = 1 + i * 37 % 9000;
            char* const at = places_.take(bytes);
            ASSERT_NE(at, nullptr);
            std::fill_n(at, bytes, mark);
            EXPECT_EQ(std::count(at, at + bytes, mark), bytes);
            places_.give_back(at);
        }
    };
    std::thread other(use, 'b');
    use('a');
    other.join();
}

TEST(Peers, AnnounceFromAThresholdOnAndToPairsOnly) {
    const char there = 0;
    const Peers peers{100, nullptr, {&there, nullptr}};
    EXPECT_TRUE(peers.announce(0, 100));
    EXPECT_FALSE(peers.announce(0, 99));
    EXPECT_FALSE(peers.announce(1, 100));
}

}  // namespace
}  // namespace hopbine::mpi
