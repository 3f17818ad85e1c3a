/// What the choice by counting chooses from: algorithms, their parameters, and numberings of the
/// ranks.
#pragma once
#include <string>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine::select {

/// A numbering of the ranks: rank order[v] plays rank v of a schedule. An empty order is the given
/// one.
struct Numbering {
    std::string name;
    std::vector<int> order;
    std::vector<int> position;  ///< the other way round: rank r plays position[r]
    int rank(int v) const { return order.empty() ? v : order[static_cast<std::size_t>(v)]; }
    int plays(int rank) const {
        return position.empty() ? rank : position[static_cast<std::size_t>(rank)];
    }
};

/// The given numbering; rotations of it that begin where a group begins; by group and node. Each
/// only once.
std::vector<Numbering> numberings(const Placement& place);

struct Candidate {
    const Algorithm* algorithm;
    Parameters parameters;
    int numbering;  ///< index into numberings(place)
};

/// Can it be chosen for by counting blocks? Those of an alltoallv are of sizes that no schedule
/// knows.
inline bool counts(Collective c) { return c != Collective::alltoallv; }

/// Algorithms of a collective that serve the ranks of `place`, in all numberings that make a
/// difference to them.
std::vector<Candidate> candidates(Collective c, const Placement& place,
                                  const std::vector<Numbering>& all);

}  // namespace hopbine::select
