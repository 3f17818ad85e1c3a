// Every algorithm gives the same bits, on any number of ranks, whoever has which addends, and in
// whatever order messages come: those of the rounded sum.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "runtime/ranks.hpp"
#include "sums/encode.hpp"
#include "sums/reference.hpp"
#include "sums/round.hpp"

namespace hopbine::sums {
namespace {

/// Addends of all ranks for some elements: of one magnitude, or of any, and half of them cancel.
std::vector<std::vector<double>> all_addends(int ranks, std::size_t elements,
                                             std::mt19937_64& draw) {
    std::vector<std::vector<double>> out(static_cast<std::size_t>(ranks),
                                         std::vector<double>(elements));
    for (std::size_t i = 0; i < elements; ++i)
        for (std::size_t r = 0; r < out.size(); ++r) {
            const int exponent = i % 2 ? static_cast<int>(draw() % 2000) - 1050 : -53;
            out[r][i] = std::ldexp(static_cast<double>(draw() >> 11), exponent);
            if (r % 2) out[r][i] = -out[r - 1][i];
            if (i % 3 == 0 && r % 2) out[r][i] = std::nextafter(out[r][i], 0);
        }
    return out;
}

std::vector<double> reference_sums(const std::vector<std::vector<double>>& addends) {
    std::vector<double> out;
    for (std::size_t i = 0; i < addends.front().size(); ++i) {
        Reference sum;
        for (const std::vector<double>& one : addends) sum.add(one[i]);
        out.push_back(sum.rounded<double>());
    }
    return out;
}

/// Runs the plans on the words of addends, block by block as an algorithm moves them, and returns
/// the rounded results of each rank.
std::vector<std::vector<double>> summed(Collective c, const std::vector<mpi::Plan>& plans,
                                        const std::vector<std::vector<double>>& addends,
                                        unsigned seed) {
    const int p = static_cast<int>(plans.size());
    const Format f = full_format<double>(p);
    const std::size_t elements = addends.front().size(), each = elements / addends.size();
    mpi::Vectors vectors(c, plans, f.words(), seed);
    const auto words = [&](std::size_t r, std::size_t i) {
        return reinterpret_cast<std::int64_t*>(vectors.of[r].data()) +
               i * static_cast<std::size_t>(f.words());
    };
    for (std::size_t r = 0; r < addends.size(); ++r)
        for (std::size_t i = 0; i < elements; i += each)
            EXPECT_TRUE(encode(&addends[r][i], each, f, words(r, i)));
    mpi::Network network(p, seed);
    const auto rank = [&](int r, mpi::Fiber& fiber) {
        mpi::NetworkTransport transport(network, r, fiber);
        mpi::RunScratch scratch;
        const mpi::PlanMemory memory = vectors.memory(r);
        EXPECT_EQ(mpi::PlanRunner(plans[static_cast<std::size_t>(r)], memory, {}, transport,
                                  mpi::Sums{}, scratch)
                      .run(),
                  0);
    };
    EXPECT_TRUE(mpi::run_ranks(p, rank, [&] { return network.deliver(); }));
    std::vector<std::vector<double>> out;
    for (std::size_t r = 0; r < addends.size(); ++r) {
        out.emplace_back(elements);
        for (std::size_t i = 0; i < elements; i += each)
            round_sums(words(r, i), each, f, &out[r][i]);
    }
    return out;
}

/// Whether a rank has the sum of element i, where there are `each` to a block.
bool has_sum(Collective c, std::size_t rank, std::size_t i, std::size_t each) {
    return c == Collective::allreduce || (c == Collective::reduce ? rank == 0 : i / each == rank);
}

void expect_rounded_sums(const Algorithm& a, int p, std::mt19937_64& draw) {
    const std::vector<mpi::Plan> plans = mpi::plans_of(a, {a.collective, p});
    if (!plans.front().steps().positions.empty()) return;  // of permuted buffers
    const auto each = static_cast<std::size_t>(plans.front().steps().parts);
    std::vector<std::vector<double>> addends =
        all_addends(p, each * static_cast<std::size_t>(p), draw);
    const std::vector<double> expected = reference_sums(addends);
    std::shuffle(addends.begin(), addends.end(), draw);
    const auto results = summed(a.collective, plans, addends, static_cast<unsigned>(draw()));
    for (std::size_t r = 0; r < results.size(); ++r)
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (!has_sum(a.collective, r, i, each)) continue;
            ASSERT_EQ(std::bit_cast<std::uint64_t>(results[r][i]),
                      std::bit_cast<std::uint64_t>(expected[i]))
                << a.name << " on " << p << " ranks, rank " << r << ", element " << i;
        }
}

TEST(EveryAlgorithm, GivesTheRoundedSums) {
    std::mt19937_64 draw(1);
    int tried = 0;
    for (const Algorithm* a : algorithms()) {
        const Collective c = a->collective;
        if (c != Collective::allreduce && c != Collective::reduce &&
            c != Collective::reduce_scatter)
            continue;
        for (int p = 2; p <= 33; ++p) {
            if (!fits(*a, p) || (a->refuses && !a->refuses({c, p}).empty())) continue;
            expect_rounded_sums(*a, p, draw);
            if (testing::Test::HasFatalFailure()) return;
            ++tried;
        }
    }
    EXPECT_GT(tried, 1000);
}

}  // namespace
}  // namespace hopbine::sums
