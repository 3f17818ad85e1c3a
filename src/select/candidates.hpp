/// Candidates of the choice by counting: algorithms, their parameters, and numberings of the ranks.
#pragma once
#include <string>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine::select {

/// A numbering of the ranks: rank order[v] acts as rank v of a schedule. An empty order is the
/// given numbering.
struct Numbering {
    std::string name;
    std::vector<int> order;
    std::vector<int> position;  ///< the inverse: rank r acts as position[r]
    int rank(int v) const { return order.empty() ? v : order[static_cast<std::size_t>(v)]; }
    int plays(int rank) const {
        return position.empty() ? rank : position[static_cast<std::size_t>(rank)];
    }
};

/// Distinct numberings: the given one, by group and node, and rotations to the start of a group.
std::vector<Numbering> numberings(const Placement& place);

struct Candidate {
    const Algorithm* algorithm;
    Parameters parameters;
    int numbering;  ///< index into numberings(place)
};

/// Whether an algorithm divides the vector into segments that follow one another.
bool pipelined(const Algorithm& a);

/// Whether counting blocks can choose for a collective. Blocks of an alltoallv have sizes that no
/// schedule knows.
inline bool counts(Collective c) { return c != Collective::alltoallv; }

/// Algorithms of a collective that serve the ranks of `place`, in every numbering that matters.
/// Those of tori only on the torus that the ranks fill, if there is one. What was published first
/// comes first, and serves where nothing tells two apart: libraries and networks are tuned for it.
/// `nonblocking`: with those that are for nonblocking calls only.
std::vector<Candidate> candidates(Collective c, const Placement& place,
                                  const std::vector<Numbering>& all,
                                  const std::vector<int>& torus = {}, bool nonblocking = false);

}  // namespace hopbine::select
