/// What HOPBINE_WATCH asks for.
#pragma once
#include <string>

namespace hopbine::watch {

struct Setting {
    double limit = 0;     ///< seconds that a rank may wait in one call; 0: nothing is watched
    bool aborts = false;  ///< the job ends after the report
    bool checks = false;  ///< ranks compare their collectives before they make them
};

/// Seconds that ranks may wait where no time is asked for: nobody waits so long in a call of
/// a job that goes on, but for those that read or write files on one rank.
inline constexpr double kLimit = 300;
/// The exit status of ranks that the watcher ends.
inline constexpr int kAborted = 86;

/// "none"; or a time ("30s", "5min", "0.5h", "200ms"), "check" and "abort": one of them, or several
/// in this order with commas between them. Empty: none. Throws Error, which names `source`.
Setting parse_watch(const std::string& text, const std::string& source);

}  // namespace hopbine::watch
