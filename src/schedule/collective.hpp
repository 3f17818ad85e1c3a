/// What the collectives are: a row of a table for each, which the check, the validation of
/// arguments, the binding of buffers and the count read.
#pragma once
#include <cstdint>
#include <string>

namespace hopbine {

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

/// What a block is. There are p, or p * p of pairs: block origin * p + destination.
enum class Blocks {
    parts,  ///< of one vector, whose length need not be a multiple of p
    ranks,  ///< one for each rank
    pairs,  ///< one for each pair of ranks
};

/// Which ranks have a block, before or after.
enum class Owner {
    root,
    number,  ///< the rank whose number the block has
    first,   ///< of a pair
    second,
    every,  ///< before: each has a contribution, and they are combined
};

/// What a buffer of the user's has.
enum class Content { nothing, vector, block, blocks };
struct BufferSpec {
    Content at_root, elsewhere;  ///< the same where there is no root
};
/// For which buffer MPI_IN_PLACE may stand; at the root only, where there is one.
enum class InPlace { none, send, recv };

/// MPI 4.1, Chap. 6.
struct CollectiveSpec {
    const char* name;
    Blocks blocks;
    Owner before, after;
    BufferSpec send, recv;  ///< bcast: its buffer is the latter
    InPlace in_place;

    constexpr bool rooted() const { return before == Owner::root || after == Owner::root; }
    constexpr bool reduces() const { return before == Owner::every; }
    /// Blocks are numbered by ranks: other numbers for the ranks give them other numbers.
    constexpr bool blocks_of_ranks() const {
        return blocks != Blocks::parts || after == Owner::number;
    }
};
const CollectiveSpec& spec(Collective c);

const char* name(Collective c);
/// Throws Error naming the known collectives.
Collective collective_named(const std::string& text);
bool rooted(Collective c);
bool reduces(Collective c);
/// Has a block for every pair of ranks?
bool pairs(Collective c);
std::int64_t block_count(Collective c, int p);

}  // namespace hopbine
