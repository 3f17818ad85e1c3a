// Jobs on GPU memory whose real times differ from the model's.
#include "select/place_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "select/size_class.hpp"

namespace hopbine::select {
namespace {

using Key = PlaceChoice::Key;

constexpr int kRanks = 4;
Key of_bytes(std::int64_t bytes, int ranks = kRanks) {
    return {Collective::allreduce, ranks, size_class(bytes)};
}

/// A machine: its times over the model's, with noise.
struct Machine {
    double call[2], byte[2];
    double seconds(Place place, std::int64_t bytes) const {
        const auto p = static_cast<std::size_t>(place);
        const double fixed = modelled_seconds(place, kRanks, 0);
        return call[p] * fixed + byte[p] * (modelled_seconds(place, kRanks, bytes) - fixed);
    }
    Place best(std::int64_t bytes) const {
        return seconds(Place::direct, bytes) < seconds(Place::staged, bytes) ? Place::direct
                                                                             : Place::staged;
    }
};

TEST(PlaceChoice, BeginsByTheModel) {
    const PlaceChoice choice;
    EXPECT_EQ(choice.place(of_bytes(8)), Place::staged);
    EXPECT_EQ(choice.place(of_bytes(32 << 10)), Place::staged);
    EXPECT_EQ(choice.place(of_bytes(128 << 10)), Place::direct);
    EXPECT_EQ(choice.place(of_bytes(16 << 20)), Place::direct);
    EXPECT_EQ(choice.place(of_bytes(128 << 10, 8)), Place::staged);
    EXPECT_EQ(choice.place(of_bytes(256 << 10, 8)), Place::direct);
}

/// Drawn machines, up to four times as fast or slow in each respect.
TEST(PlaceChoice, FindsTheCrossingOfTheJobAtLittleLoss) {
    std::mt19937 random(11);
    const auto factor = [&] { return std::exp2(static_cast<double>(random() % 400) / 100 - 2); };
    for (int job = 0; job < 20; ++job) {
        const Machine machine{{factor(), factor()}, {factor(), factor()}};
        PlaceChoice choice;
        double took = 0, by_model = 0;
        const std::vector<std::int64_t> sizes{8, 8 << 10, 32 << 10, 128 << 10, 1 << 20, 8 << 20};
        for (int round = 0; round < 6000; ++round)
            for (const std::int64_t bytes : sizes) {
                const Place place = choice.place(of_bytes(bytes));
                const double noise = 1 + static_cast<double>(random() % 100) / 1000;
                const double seconds = machine.seconds(place, bytes) * noise;
                choice.took(of_bytes(bytes), place, seconds);
                took += seconds;
                by_model += machine.seconds(PlaceChoice().place(of_bytes(bytes)), bytes) * noise;
            }
        EXPECT_LE(took, 1.02 * by_model) << job;
        for (const std::int64_t bytes : sizes) {
            const double best = machine.seconds(machine.best(bytes), bytes);
            // Far from the crossing by the model no trial is paid for in so few calls.
            const double apart =
                std::abs(std::log2(modelled_seconds(Place::direct, kRanks, bytes) /
                                   modelled_seconds(Place::staged, kRanks, bytes)));
            if (apart < 3) {
                EXPECT_LE(machine.seconds(choice.place(of_bytes(bytes)), bytes), 1.15 * best)
                    << job << ' ' << bytes;
            }
        }
    }
}

/// Whatever each measures: the trials of ranks that make the same calls are at the same calls.
TEST(PlaceChoice, RanksTryAlike) {
    std::mt19937 random(5);
    std::vector<PlaceChoice> ranks(3);
    for (int call = 0; call < 20000; ++call) {
        const std::int64_t bytes = std::int64_t{1} << (random() % 24);
        std::vector<Place> tried;
        for (PlaceChoice& rank : ranks) {
            const Key key = of_bytes(bytes);
            const Place place = rank.place(key);
            if (rank.tries(key)) tried.push_back(place);
            rank.took(key, place, 1e-4 * (1 + static_cast<double>(random() % 100) / 200));
        }
        ASSERT_TRUE(tried.empty() || tried.size() == ranks.size());
        ASSERT_TRUE(std::ranges::adjacent_find(tried, std::not_equal_to{}) == tried.end());
    }
}

/// A place that is ten times slower than modelled is tried once, and not to the end.
TEST(PlaceChoice, EndsATrialThatIsHopeless) {
    const Machine machine{{10, 1}, {10, 1}};
    PlaceChoice choice;
    int staged = 0;
    for (int call = 0; call < 100000; ++call) {
        const Place place = choice.place(of_bytes(128 << 10));
        staged += place == Place::staged;
        choice.took(of_bytes(128 << 10), place, machine.seconds(place, 128 << 10));
    }
    EXPECT_EQ(staged, 2);  // one warms up
}

}  // namespace
}  // namespace hopbine::select
