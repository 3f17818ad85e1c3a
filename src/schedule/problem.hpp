/// The problem that an algorithm solves: collective, number of ranks, root and parameters.
#pragma once
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "schedule/block_set.hpp"
#include "schedule/collective.hpp"
#include "schedule/placement.hpp"

namespace hopbine {

/// Request that cannot be met; the message says what was given and what is allowed.
struct Error : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// Parses a shape such as "8x8x4". Throws Error naming `source`.
std::vector<int> parse_shape(const std::string& text, const std::string& source);

using Parameters = std::vector<std::pair<std::string, std::int64_t>>;

struct Problem {
    Collective collective;
    int p;
    int root = 0;
    Parameters parameters = {};
    /// Placement of the ranks, for algorithms that follow it. Null: unknown, treated as one node.
    std::shared_ptr<const Placement> placement = nullptr;
    /// Extents of the torus of ranks, the last varying fastest, for algorithms that follow it.
    /// `resolve` sets it to {p} if it is empty.
    std::vector<int> shape = {};
    /// Size of the vector. `resolve` sets it to schedule_bytes(). 0: unknown, or of no influence.
    std::int64_t bytes = 0;
    /// The value of a parameter. `resolve` has filled in every parameter of the algorithm.
    std::int64_t get(const std::string& parameter) const;
};

/// The problem `q` for another collective.
inline Problem problem_of(Collective c, Problem q) {
    q.collective = c;
    return q;
}

/// The rank that owns block b; kEveryRank if all ranks do.
inline constexpr int kEveryRank = -1;
inline int rank_of(Owner owner, const Problem& q, Block b) {
    switch (owner) {
    case Owner::root: return q.root;
    case Owner::number: return static_cast<int>(b);
    case Owner::first: return static_cast<int>(b / q.p);
    case Owner::second: return static_cast<int>(b % q.p);
    case Owner::every: break;
    }
    return kEveryRank;
}
inline int origin(const Problem& q, Block b) { return rank_of(spec(q.collective).before, q, b); }
inline int destination(const Problem& q, Block b) {
    return rank_of(spec(q.collective).after, q, b);
}

/// Number of ranks, from rank 0 on, whose contributions the result of `rank` holds.
inline int contributors(const Problem& q, int rank) {
    switch (spec(q.collective).summed) {
    case Summed::through: return rank + 1;
    case Summed::below: return rank;
    case Summed::all: break;
    }
    return q.p;
}

}  // namespace hopbine
