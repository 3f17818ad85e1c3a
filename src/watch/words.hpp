/// Views in words.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "watch/view.hpp"

namespace hopbine::watch {

/// The line of a site (line_of; tests have their own).
using Place = std::function<std::string(const std::string&)>;

/// "0-2,5".
std::string ranges(std::vector<int> numbers);
/// "31 s", "0.3 s".
std::string seconds_text(double seconds);
/// Writes about ranks, of which `views` has all that are known.
class Words {
public:
    Words(const Views& views, Place place) : views_(views), place_(std::move(place)) {}
    /// "MPI_COMM_WORLD (4 ranks)".
    std::string comm(std::uint64_t id) const;
    /// "MPI_Bcast(4 MPI_INT, root 1)".
    static std::string signature(const CallView& call);
    /// "MPI_Bcast(4 MPI_INT, root 1), call 3 of MPI_COMM_WORLD (4 ranks), at main (app.c:42)".
    std::string call(const CallView& call) const;
    /// "rank 3 on node n1, process 4711".
    static std::string rank(const RankView& rank);
    /// What a rank does, and the last call that it has left.
    std::string doing(const RankView& rank) const;
    /// The thread that tells what its rank does: one that is in a call, else the last that was.
    static const ThreadView* thread_of(const RankView& rank);

private:
    std::string peer(const CallView& call) const;
    std::string inside_or_outside(const RankView& rank, const ThreadView& thread) const;
    const Views& views_;
    Place place_;
};

}  // namespace hopbine::watch
