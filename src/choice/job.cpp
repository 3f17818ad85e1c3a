#include "choice/job.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "location/process_numbers.hpp"
#include "runtime/log.hpp"
#include "runtime/settings.hpp"
#include "schedule/problem.hpp"
#include "select/site.hpp"

namespace hopbine::mpi {

namespace {

/// Reports settings that differ or are invalid. They come from each rank's environment and are used
/// only where they are equal.
void say_what_is_wrong(const std::vector<JobRank>& ranks) {
    const Settings& s = settings();
    bool equal = true;
    for (const JobRank& r : ranks) equal &= r.settings == ranks.front().settings;
    if (!equal) {
        say_once(
            "HOPBINE_ settings differ between ranks of the job; the MPI library serves the calls "
            "of communicators on which "
            "they do. Give every rank the same settings.");
        if (!s.broken.empty()) say_rank(s.broken);
    } else if (!s.broken.empty()) {
        say_once(s.broken + "; the MPI library serves all calls.");
    }
}

/// Finds what the start took.
void price_start(Job& job, const JobRank& mine) {
    const auto seconds = [](std::uint64_t time) { return static_cast<double>(time) * 1e-9; };
    std::vector<std::uint64_t> exchanges;
    for (const JobRank& r : job.ranks) exchanges.push_back(r.exchange);
    const auto middle = exchanges.begin() + static_cast<std::ptrdiff_t>(exchanges.size() / 2);
    std::ranges::nth_element(exchanges, middle);
    job.exchange = seconds(*middle);
    const std::uint64_t least = std::ranges::min(job.ranks, {}, &JobRank::start).start,
                        first = std::ranges::min(job.ranks, {}, &JobRank::barrier).barrier,
                        own = least - std::min(least, first);
    job.waited = seconds(mine.start - std::min(mine.start, own));
    job.start = seconds(own) + 2 * job.exchange;  // those after the barrier
}

}  // namespace

Job& the_job() {
    static Job& one = *new Job;  // for ever: communicators may be freed when the process ends
    return one;
}

void Job::hear(std::vector<JobRank> all, int rank, const std::string& version) {
    ranks = std::move(all);
    threaded = std::ranges::any_of(ranks, [](const JobRank& r) { return r.threaded != 0; });
    progresses = std::ranges::all_of(ranks, [](const JobRank& r) { return r.progresses != 0; });
    device_loaded = std::ranges::any_of(ranks, [](const JobRank& r) { return r.device != 0; });
    if (std::ranges::all_of(ranks,
                            [&](const JobRank& r) { return r.library == ranks.front().library; }))
        known_library.emplace(version, cores().starts_with("1/"));
    price_start(*this, this->rank(rank));
    say_what_is_wrong(ranks);
}

/// Ranks that may run on the same cores share them; other ranks' are others: launchers bind each to
/// cores of its own, or none to any.
std::string Job::cores() const {
    std::int64_t on_node = 0, sum = 0;
    std::map<std::uint64_t, std::int64_t> sets;
    for (const JobRank& r : ranks) {
        if (r.node != ranks.front().node) continue;
        ++on_node;
        sets.emplace(r.cores, location::cores_in(r.cores));
    }
    for (const auto& [set, count] : sets) sum += count;
    return select::cores_word(sum, on_node);
}

bool Job::share_memory(std::span<const int> members) const {
    const JobRank& first = rank(members.front());
    return std::ranges::all_of(members, [&](int r) {
        return rank(r).node != 0 && rank(r).memory != 0 && rank(r).node == first.node &&
               rank(r).memory == first.memory;
    });
}

Placement Job::placement(std::span<const int> members) const {
    std::vector<std::uint64_t> nodes, groups;
    for (const int r : members) {
        nodes.push_back(rank(r).node);
        groups.push_back(rank(r).group);
    }
    Placement out{numbered(groups), numbered(nodes)};
    bool known = std::ranges::find(groups, 0u) == groups.end() &&
                 std::ranges::find(nodes, 0u) == nodes.end();
    try {
        validate(out, static_cast<int>(nodes.size()));
    } catch (const Error& e) {
        say_once(std::string(e.what()) + " (HOPBINE_GROUP); groups are not used.");
        known = false;
    }
    if (!known) out.group.assign(groups.size(), 0);
    return out;
}

std::vector<int> Job::all() const {
    std::vector<int> out(ranks.size());
    std::iota(out.begin(), out.end(), 0);
    return out;
}

}  // namespace hopbine::mpi
