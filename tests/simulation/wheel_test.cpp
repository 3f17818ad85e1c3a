// The queue of events: the order of a stable sort, whatever the distances of times.
#include "simulation/wheel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace hopbine::simulation;

namespace {

/// Pushes and pops at random, each time at most `ahead` ticks later than the last pop, `together`
/// events at most at a time. What is popped is compared with a list that is sorted stably.
void pops_in_order(std::uint64_t ahead, unsigned together) {
    Wheel wheel;
    std::vector<Due> expected;
    std::mt19937_64 random(ahead * 1000 + together);
    std::uint64_t now = 0, number = 0;
    std::size_t popped = 0;
    const auto push = [&] {
        for (std::uint64_t n = random() % together + 1; n > 0; --n) {
            const Due due{now + random() % (ahead + 1), number++};
            wheel.push(due);
            const auto place = std::upper_bound(
                expected.begin() + static_cast<std::ptrdiff_t>(popped), expected.end(), due,
                [](const Due& a, const Due& b) { return a.time < b.time; });
            expected.insert(place, due);
        }
    };
    push();
    for (Due due; wheel.pop(due);) {
        ASSERT_LT(popped, expected.size());
        ASSERT_EQ(due.time, expected[popped].time) << ahead << ' ' << together;
        ASSERT_EQ(due.what, expected[popped].what) << ahead << ' ' << together;
        ++popped;
        now = due.time;
        if (number < 4000 && random() % 2 == 0) push();
    }
    EXPECT_EQ(popped, expected.size()) << ahead << ' ' << together;
}

TEST(Wheel, PopsAsAStableSort) {
    for (const std::uint64_t ahead :
         {0ULL, 1ULL, 3ULL, 200ULL, 256ULL, 5000ULL, 70'000ULL, 20'000'000ULL, 1ULL << 50})
        for (const unsigned together : {1u, 3u, 20u, 300u}) pops_in_order(ahead, together);
}

TEST(Wheel, PeeksAtWhatComesNext) {
    Wheel wheel;
    for (std::uint64_t i = 0; i < 200; ++i) wheel.push({i < 150 ? 5u : 6u, i});
    std::uint64_t told = 0;
    for (Due due; wheel.pop(due);)
        for (const int skipped : {0, 3, 31})
            wheel.peek(skipped, [&](const Due& next) {
                ++told;
                EXPECT_EQ(next.what, due.what + static_cast<std::uint64_t>(skipped) + 1);
                EXPECT_EQ(next.time, due.time);
            });
    EXPECT_EQ(told, 3u * 200 - 2 * (1 + 4 + 32)) << "all but the last ones of each time";
}

}  // namespace
