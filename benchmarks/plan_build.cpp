// How long it takes to make one rank's whole schedule, for every algorithm: median and worst of 41
// ranks.
//   plan_build [P]   (default 4096)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "schedule/algorithm.hpp"

using namespace hopbine;

static double microseconds(const Algorithm& a, int p, int rank) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const SchedulePtr s = schedule(a, {a.collective, p, rooted(a.collective) ? p / 3 : 0, {}});
    Step step;
    for (int t = 0; t < s->steps(); ++t) s->moves(rank, t, step);
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

int main(int argc, char** argv) {
    const int p = argc > 1 ? std::atoi(argv[1]) : 4096;
    std::printf("collective,algorithm,p,median_us,worst_us\n");
    for (const Algorithm* a : algorithms()) {
        if (!fits(*a, p)) continue;
        std::vector<double> times;
        for (int i = 0; i < 41; ++i)
            times.push_back(microseconds(*a, p, static_cast<int>(i * 577LL % p)));
        std::sort(times.begin(), times.end());
        std::printf("%s,%s,%d,%.1f,%.1f\n", name(a->collective), a->name, p,
                    times[times.size() / 2], times.back());
    }
}
