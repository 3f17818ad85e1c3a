/// The question an algorithm answers: which collective, how many ranks, which root, which
/// parameters.
#pragma once
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "schedule/block_set.hpp"
#include "schedule/placement.hpp"

namespace hopbine {

/// A request that cannot be met as given; the message says what was given and what is allowed.
struct Error : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

enum class Collective {
    bcast,
    reduce,
    allreduce,
    reduce_scatter,
    scatter,
    gather,
    allgather,
    alltoall,
    alltoallv
};
inline constexpr int kCollectives = 9;

const char* name(Collective c);
/// Throws Error naming the known collectives.
Collective collective_named(const std::string& text);
/// Has a root (bcast, reduce, scatter, gather)?
bool rooted(Collective c);
/// Combines contributions (reduce, allreduce, reduce_scatter)?
bool reduces(Collective c);
/// Has a block for every pair of ranks (alltoall, alltoallv)?
bool pairs(Collective c);
/// How many blocks the collective has: p, or p*p for alltoall(v) (block origin*p + destination).
/// bcast, reduce, allreduce, reduce_scatter: part b of the vector. scatter: b goes to rank b.
/// gather, allgather: b is rank b's.
std::int64_t block_count(Collective c, int p);

/// "8x8x4". Throws Error naming `source`.
std::vector<int> parse_shape(const std::string& text, const std::string& source);

using Parameters = std::vector<std::pair<std::string, std::int64_t>>;

struct Problem {
    Collective collective;
    int p;
    int root = 0;
    Parameters parameters = {};
    /// Where the ranks are, for algorithms that follow it; null: nothing is known, as if all were
    /// on one node.
    std::shared_ptr<const Placement> placement = nullptr;
    /// Extents of the torus that the ranks are on, the last running fastest, for algorithms that
    /// follow it. `resolve` makes it {p} when it is empty.
    std::vector<int> shape = {};
    /// The value of a parameter; `resolve` has put every parameter of the algorithm in.
    std::int64_t get(const std::string& parameter) const;
};

/// The same problem of another collective.
inline Problem problem_of(Collective c, Problem q) {
    q.collective = c;
    return q;
}

/// The rank that has a block at first. Of a reduction every rank has a contribution.
inline int origin(const Problem& q, Block b) {
    switch (q.collective) {
    case Collective::bcast:
    case Collective::scatter: return q.root;
    case Collective::alltoall:
    case Collective::alltoallv: return static_cast<int>(b / q.p);
    default: return static_cast<int>(b);
    }
}
/// The rank that a block is for; kEveryRank where all are to have it.
inline constexpr int kEveryRank = -1;
inline int destination(const Problem& q, Block b) {
    switch (q.collective) {
    case Collective::reduce:
    case Collective::gather: return q.root;
    case Collective::reduce_scatter:
    case Collective::scatter: return static_cast<int>(b);
    case Collective::alltoall:
    case Collective::alltoallv: return static_cast<int>(b % q.p);
    default: return kEveryRank;
    }
}

}  // namespace hopbine
