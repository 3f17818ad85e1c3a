/// What HOPBINE_WATCH asks for.
#pragma once
#include <string>

namespace hopbine::watch {

struct Setting {
    double limit = 0;     ///< seconds that a rank may wait in one call; 0: nothing is watched
    bool aborts = false;  ///< the job ends after the report
    bool checks = false;  ///< ranks compare their collectives before they make them
    bool asked = false;   ///< by the user, who is told where a rank cannot be watched
};

/// Seconds that ranks may wait where no time is asked for. PyTorch ends jobs whose ranks wait in a
/// collective for so long (github.com/pytorch/pytorch/pull/110947: half an hour was too long, and
/// ten minutes leave ample room); here it is a report.
inline constexpr double kLimit = 600;
/// What holds in jobs under hopbine run where nothing is asked for.
inline constexpr Setting kUnasked{.limit = kLimit};
/// The exit status of ranks that the watcher ends.
inline constexpr int kAborted = 86;

/// Seconds between two looks of a watcher at its ranks: a quarter of the limit, so that a report
/// comes soon after it, but a second at most, or a sixtieth of a limit of minutes, up to ten
/// seconds: each look may take a core from a rank for a while, and a job of many nodes waits for
/// each of them (docs/watch.md). `checks`: ranks wait for the report of calls that do not match.
double seconds_between_looks(double limit, bool checks);
/// Whether a watcher that looks so seldom is loaded no earlier than it looks, and only takes what
/// time the ranks leave (SCHED_IDLE).
inline bool takes_idle_time(double seconds_between) { return seconds_between > 1; }

/// "none"; or a time ("30s", "5min", "0.5h", "200ms"), "check" and "abort": one of them, or several
/// in this order with commas between them. Empty: none. Throws Error, which names `source`.
Setting parse_watch(const std::string& text, const std::string& source);

}  // namespace hopbine::watch
