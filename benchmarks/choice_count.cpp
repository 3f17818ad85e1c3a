// What the choice by counting costs one rank at a communicator's first use of a collective: places,
// candidates, its share of the counting, the choice for one size; in time of its core. A machine of
// p / per_node nodes, dealt to `groups` groups in uneven runs. Median and worst of 9 ranks and of
// those that count each candidate; most bytes on the heap at a time, without those of the places.
//   choice_count [P] [PER_NODE] [GROUPS] [each]   (default 4096 1 23)
// With `each` it lists the time of every candidate.
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <vector>

#include "select/cost_choice.hpp"
#include "select/shared_count.hpp"

using namespace hopbine;

namespace {

std::size_t in_use = 0, most_in_use = 0;

/// Milliseconds that this process has computed, whatever else its core did meanwhile.
double computed_ms() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

Placement machine(int p, int per_node, int groups) {
    Placement place;
    const int nodes = p / per_node, run = std::max(1, std::min(37, nodes / groups));
    for (int r = 0; r < p; ++r) {
        place.node.push_back(r / per_node);
        place.group.push_back(r / per_node / run * 5 % groups);
    }
    return place;
}

struct Job {
    select::LocatedRanks located;
    std::vector<select::Numbering> numberings;
};

/// What one rank counts; its milliseconds.
double count(const Job& job, const std::vector<select::Candidate>& all, int rank, bool each) {
    const double begin = computed_ms();
    const auto teams = select::teams(job.located, all.size());
    const select::Stages way = select::stages_of(teams, rank);
    const std::vector<int>& mates = way.team->ranks;
    const auto me = static_cast<std::size_t>(std::ranges::find(mates, rank) - mates.begin());
    std::vector<select::Loads> loads;
    for (std::size_t i = me; i < all.size(); i += mates.size()) {
        const double before = computed_ms();
        loads.push_back(select::measure(all[i],
                                        job.numberings[static_cast<std::size_t>(all[i].numbering)],
                                        0, job.located, way.team->nodes));
        if (each)
            std::printf("  %s %d: %.2f ms, %d patterns\n", all[i].algorithm->name, all[i].numbering,
                        computed_ms() - before, loads.back().patterns);
    }
    return computed_ms() - begin;
}

/// Milliseconds of the choice for one size, with all loads known.
double choose(const Job& job, const std::vector<select::Candidate>& all) {
    std::vector<select::Loads> loads;
    for (const select::Candidate& one : all)
        loads.push_back(select::measure(one,
                                        job.numberings[static_cast<std::size_t>(one.numbering)], 0,
                                        job.located, job.located.nodes.by_unit().first(1)));
    const double begin = computed_ms();
    select::shortlist({all, loads, {}, job.located}, 1 << 20, Operands::exact);
    return computed_ms() - begin;
}

}  // namespace

void* operator new(std::size_t bytes) {
    void* const out = std::malloc(bytes);
    if (!out) throw std::bad_alloc();
    in_use += malloc_usable_size(out);
    most_in_use = std::max(most_in_use, in_use);
    return out;
}
void operator delete(void* at) noexcept {
    in_use -= malloc_usable_size(at);
    std::free(at);
}
void operator delete(void* at, std::size_t) noexcept { operator delete(at); }

int main(int argc, char** argv) {
    const int p = argc > 1 ? std::atoi(argv[1]) : 4096,
              per_node = argc > 2 ? std::atoi(argv[2]) : 1, k = argc > 3 ? std::atoi(argv[3]) : 23;
    const bool each = argc > 4;
    const Placement place = machine(p, per_node, k);
    const double begin = computed_ms();
    const Job job{select::LocatedRanks(place), select::numberings(place)};
    std::printf(
        "p=%d, %d per node, %d groups: places and %zu numberings %.2f ms, %.1f MiB\n"
        "collective,candidates,median_ms,worst_ms,choice_ms,most_MiB\n",
        p, per_node, job.located.groups.count(), job.numberings.size(), computed_ms() - begin,
        static_cast<double>(in_use) / (1 << 20));
    for (int c = 0; c < kCollectives; ++c) {
        const auto collective = static_cast<Collective>(c);
        if (!select::counts(collective)) continue;
        const auto all = select::candidates(collective, place, job.numberings, {}, true);
        if (all.empty()) continue;
        const std::size_t before = most_in_use = in_use;
        std::vector<double> times;
        for (int sample = 0; sample < 9; ++sample)
            times.push_back(count(job, all, static_cast<int>(sample * 577LL % p), false));
        const auto teams = select::teams(job.located, all.size());
        for (std::size_t i = 0; i < std::min(all.size(), teams.front().ranks.size()); ++i)
            times.push_back(count(job, all, teams.front().ranks[i], each));
        std::sort(times.begin(), times.end());
        const double most = static_cast<double>(most_in_use - before) / (1 << 20);
        std::printf("%s,%zu,%.2f,%.2f,%.3f,%.1f\n", name(collective), all.size(),
                    times[times.size() / 2], times.back(), choose(job, all), most);
        std::fflush(stdout);
    }
}
