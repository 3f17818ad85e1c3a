// The arithmetic of exact sums, without MPI: nanoseconds for each double, by vector registers and
// words, the best of many runs. docs/sums.md has the results.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

#include "sums/kernels.hpp"

namespace {

using namespace hopbine;
using namespace hopbine::sums;

constexpr std::size_t kNumbers = 4096;  // whose words are in the cache of level 2
constexpr int kRuns = 200;

template <class Work>
double nanoseconds(const Work& work) {
    using Clock = std::chrono::steady_clock;
    double best = 1e9;
    for (int k = 0; k < kRuns; ++k) {
        const Clock::time_point began = Clock::now();
        work();
        const std::chrono::duration<double> took = Clock::now() - began;
        best = std::min(best, took.count());
    }
    return best / kNumbers * 1e9;
}

void measure(VectorUnits units, int slack) {
    static const char* const kNames[] = {"none", "AVX2", "AVX-512"};
    const Kernels& kernels = kernels_for<double>(units);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> draw(-1, 1);
    std::vector<double> values(kNumbers), sums(kNumbers);
    for (double& value : values) value = draw(random);
    const Range range = kernels.range(values.data(), kNumbers);
    const Format f = slack < 0 ? full_format<double>(2) : format_for<double>(range, 2, slack);
    std::vector<std::int64_t> words(kNumbers * static_cast<std::size_t>(f.words()));
    const double range_takes = nanoseconds([&] { (void)kernels.range(values.data(), kNumbers); }),
                 encode_takes =
                     nanoseconds([&] { kernels.encode(values.data(), kNumbers, f, words.data()); }),
                 round_takes =
                     nanoseconds([&] { kernels.round(words.data(), kNumbers, f, sums.data()); });
    if (sums != values) std::printf("wrong sums\n");
    std::printf("| %s | %d | %.2f | %.2f | %.2f |\n", kNames[static_cast<int>(units)], f.words(),
                range_takes, encode_takes, round_takes);
}

}  // namespace

int main() {
    std::printf("| registers | words | range | to words | rounded |\n");
    for (int units = 0; units <= static_cast<int>(vector_units()); ++units)
        for (const int slack : {16, 70, -1}) measure(static_cast<VectorUnits>(units), slack);
    return 0;
}
