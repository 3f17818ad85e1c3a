// How long it takes to make one rank's schedule and the runtime's plan, and the bytes of the plan,
// for every algorithm of the default table: median and worst of 9 ranks. The plan's time has the
// schedule's in it. Steps are those in which some rank has a message.
//   plan_build [P] [COLLECTIVE] [all]   (default 4096, every collective; all: every algorithm)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/plan.hpp"
#include "schedule/algorithm.hpp"
#include "select/rules.hpp"

using namespace hopbine;

namespace {

template <class T>
double bytes(const std::vector<T>& all) {
    return static_cast<double>(all.capacity() * sizeof(T));
}

double bytes(const mpi::Plan& plan) {
    if (const auto* sized = std::get_if<mpi::SizedSteps>(&plan.moves))
        return sizeof plan + bytes(sized->messages) + bytes(sized->blocks) + bytes(sized->bounds);
    const mpi::Steps& steps = plan.steps();
    double out = sizeof plan + bytes(steps.messages) + bytes(steps.pieces) + bytes(steps.positions);
    for (const mpi::Channel& c : steps.channels) out += sizeof c + bytes(c.steps);
    return out;
}

struct Made {
    double schedule_us, plan_us, kib;
};

Made made(const Algorithm& a, int p, int rank) {
    using Clock = std::chrono::steady_clock;
    const auto us = [](Clock::time_point since) {
        return std::chrono::duration<double, std::micro>(Clock::now() - since).count();
    };
    const auto begin = Clock::now();
    const Problem q = resolve(a, {a.collective, p, rooted(a.collective) ? p / 3 : 0, {}});
    const SchedulePtr s = a.make(q);
    Made out{us(begin), 0, 0};
    const mpi::Plan plan = mpi::make_plan(a, q, *s, rank, a.collective == Collective::alltoallv);
    out.plan_us = us(begin);
    out.kib = bytes(plan) / 1024;
    return out;
}

/// Whether the default table chooses it for p ranks at some size. Where sizes are those of p blocks
/// these have a byte or more.
bool by_default(const Algorithm& a, int p) {
    const bool vector = reduces(a.collective) || a.collective == Collective::bcast ||
                        a.collective == Collective::alltoallv;
    for (std::int64_t bytes = vector ? 1 : p; bytes <= std::int64_t{1} << 40; bytes *= 2)
        for (const Operands operands : {Operands::exact, Operands::commute})
            if (select::choose({&select::default_rules()}, {.collective = a.collective,
                                                            .ranks = p,
                                                            .bytes = bytes,
                                                            .operands = operands,
                                                            .nodes = p})
                    .algorithm == &a)
                return true;
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    const int p = argc > 1 ? std::atoi(argv[1]) : 4096;
    const bool all = argc > 3 && std::strcmp(argv[3], "all") == 0;
    std::printf("collective,algorithm,p,schedule_us,plan_us,worst_plan_us,plan_KiB,worst_KiB\n");
    for (const Algorithm* a : algorithms()) {
        if (!fits(*a, p) || (!all && !by_default(*a, p))) continue;
        if (argc > 2 && std::strcmp(argv[2], name(a->collective)) != 0) continue;
        std::vector<double> schedule, plan, kib;
        for (int i = 0; i < 9; ++i) {
            const Made one = made(*a, p, static_cast<int>((p / 3 + i * 577LL) % p));
            schedule.push_back(one.schedule_us);
            plan.push_back(one.plan_us);
            kib.push_back(one.kib);
        }
        for (auto* each : {&schedule, &plan, &kib}) std::sort(each->begin(), each->end());
        std::printf("%s,%s,%d,%.1f,%.1f,%.1f,%.1f,%.1f\n", name(a->collective), a->name, p,
                    schedule[4], plan[4], plan.back(), kib[4], kib.back());
        std::fflush(stdout);
    }
}
