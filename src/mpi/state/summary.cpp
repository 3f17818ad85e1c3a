#include "mpi/state/summary.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

#include "mpi/state/log.hpp"
#include "mpi/state/measuring.hpp"
#include "mpi/state/rank_location.hpp"
#include "mpi/state/stats.hpp"
#include "mpi/state/world.hpp"
#include "runtime/settings.hpp"
#include "runtime/summary_text.hpp"

namespace hopbine::mpi {

namespace {

/// A program is short if it makes fewer calls, and in less time.
constexpr long long kManyCalls = 1000;
constexpr double kLongSeconds = 10;
/// Time that counting bytes between groups may take.
constexpr double kCountSeconds = 0.1;

std::int64_t began = 0;
bool wanted = false;
std::mutex summary_lock;
/// Kinds of calls by the reason why the MPI library serves them.
std::map<std::string, int>& unserved() {
    static std::map<std::string, int> all;
    return all;
}

/// Programs of `hopbine run` report, but not those that they spawn.
bool is_wanted() {
    const SummaryLine asked = settings().summary;
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (asked != SummaryLine::automatic) return asked == SummaryLine::always && rank == 0;
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    return rank == 0 && parent == MPI_COMM_NULL && std::getenv("HOPBINE_PROGRAM");
}

bool is_short(const call_counts& counts) {
    return counts.made[COUNT_CALL] < kManyCalls &&
           static_cast<double>(now() - began) * 1e-9 < kLongSeconds;
}

std::string why_none() {
    if (!World::get().open()) return World::get().why_closed();
    if (!settings().broken.empty()) return settings().broken;
    if (any_measured()) return "the MPI library was the fastest where it was measured";
    const std::lock_guard hold(summary_lock);
    const auto most =
        std::ranges::max_element(unserved(), {}, [](const auto& reason) { return reason.second; });
    return most == unserved().end() ? "" : most->first;
}

/// Reports why a short program was not served: the preload library would, without the reason.
bool tells_why_none(const Summary& s) {
    const char* const program = std::getenv("HOPBINE_PROGRAM");
    const bool served = s.counts.served[COUNT_CALL] || s.counts.served[COUNT_PERSISTENT];
    if (served || s.why_none.empty() || !program || std::atol(program) != getpid()) return false;
    say("no collective was served: " + s.why_none);
    return true;
}

select::Crossing crossing() {
    const World& world = World::get();
    if (!world.open()) return {};
    std::vector<std::uint64_t> nodes, groups;
    for (const World::Rank& r : world.ranks()) {
        nodes.push_back(r.node);
        groups.push_back(r.group);
    }
    bool between_groups = true;
    const Placement units = select::scarce_units(placement_of(nodes, groups), &between_groups);
    select::Crossing out;
    if (Units(units.group).count() > 1) out = served_crossing(units, kCountSeconds);
    out.groups = between_groups;
    return out;
}

}  // namespace

void begin_summary() {
    began = now();
    wanted = is_wanted();
}

bool reports() { return wanted; }

void note_unserved(const std::string& why) {
    if (!wanted || why.empty()) return;
    const std::lock_guard hold(summary_lock);
    ++unserved()[why];
}

bool end_summary(const call_counts& counts) {
    if (!wanted) return false;
    const bool none = !counts.made[COUNT_CALL] && !counts.made[COUNT_PERSISTENT];
    Summary s;
    s.counts = counts;
    settle_all();
    s.account = {account().in_collectives(), account().saved(), account().spent(), any_stopped()};
    s.why_none = none ? "the program made none" : why_none();
    if (settings().summary == SummaryLine::automatic) {
        if (none) return false;
        if (is_short(counts)) return tells_why_none(s);
    }
    s.crossing = crossing();
    s.stats = settings().stats;
    say(text(s));
    return true;
}

}  // namespace hopbine::mpi
