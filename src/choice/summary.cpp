#include "choice/summary.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

#include "choice/job.hpp"
#include "choice/measuring.hpp"
#include "runtime/log.hpp"
#include "runtime/settings.hpp"
#include "statistics/summary_text.hpp"

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
bool is_wanted(int rank, bool spawned) {
    const SummaryLine asked = settings().summary;
    if (asked != SummaryLine::automatic) return asked == SummaryLine::always && rank == 0;
    return rank == 0 && !spawned && std::getenv("HOPBINE_PROGRAM");
}

bool is_short(const call_counts& counts) {
    return counts.made[COUNT_CALL] < kManyCalls && seconds_since(began) < kLongSeconds;
}

std::string why_none() {
    if (!job().open) return job().why_closed;
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
    if (!job().open) return {};
    bool between_groups = true;
    const Placement units = select::scarce_units(job().placement(job().all()), &between_groups);
    select::Crossing out;
    if (Units(units.group).count() > 1) out = served_crossing(units, kCountSeconds);
    out.groups = between_groups;
    return out;
}

}  // namespace

void begin_summary(int rank, bool spawned) {
    began = now();
    wanted = is_wanted(rank, spawned);
}

bool reports() { return wanted; }

void note_unserved(const std::string& why, int kinds) {
    if (!wanted || why.empty()) return;
    const std::lock_guard hold(summary_lock);
    unserved()[why] += kinds;
}

bool end_summary(const call_counts& counts) {
    if (!wanted) return false;
    const bool none = !counts.made[COUNT_CALL] && !counts.made[COUNT_PERSISTENT];
    Summary s;
    s.counts = counts;
    settle_all();
    s.account = {account().in_collectives(), account().saved(), account().spent(), any_stopped(),
                 uncompared_calls()};
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
