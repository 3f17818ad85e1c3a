/// What is wrong, as far as ranks' calls tell: who waits in which call for whom.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "watch/view.hpp"

namespace hopbine::watch {

/// A rank in a call that others are to make too.
struct Present {
    const RankView* rank;
    const ThreadView* thread;  ///< null: it was another one, or is not known
    /// Its collective: the call that it is in, or the nonblocking one that it waits for.
    const CallView* call;
};

/// Ranks that wait in one collective of a communicator; or, without one, in messages.
struct Finding {
    std::uint64_t comm = 0, sequence = 0;  ///< comm 0: messages
    double seconds = 0;                    ///< the longest wait
    std::vector<Present> in;
    std::vector<const RankView*> missing;  ///< ranks of the communicator that have not come
    /// Ranks that have come and whose call has not ended, as they do not wait for it.
    std::vector<const RankView*> started;
    int unknown = 0;  ///< ranks of the communicator that nobody has told of
    /// Two whose calls do not match, and by what; null ranks: there are none.
    Present one{}, other{};
    std::string difference;
};

/// Finds who has waited for at least `limit` seconds: of each communicator the first call.
/// Where nobody waits in a collective: ranks in messages, if no rank of the job goes on or one
/// cannot. `views` outlive the findings.
std::vector<Finding> find(const Views& views, double limit);
/// Calls that do not match, also of ranks that do not wait: those that ranks are in or have left.
/// Threads of one rank that are in calls of one communicator at once.
std::vector<Finding> find_mismatches(const Views& views);
/// What differs between two calls that are to be the same collective; empty: nothing.
std::string difference(const CallView& a, const CallView& b);
/// A hash of what difference() compares.
std::uint64_t digest(const CallView& call);

}  // namespace hopbine::watch
