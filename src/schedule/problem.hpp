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
#include "schedule/collective.hpp"
#include "schedule/placement.hpp"

namespace hopbine {

/// A request that cannot be met as given; the message says what was given and what is allowed.
struct Error : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

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

/// The rank that owns block b; kEveryRank where all do.
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

}  // namespace hopbine
