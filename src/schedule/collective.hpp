/// The collectives as rows of a table. The check, the validation of arguments, the binding of
/// buffers and the count read it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
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
    alltoallv,
    barrier,
    scan,
    exscan,
};

/// What a block is. There are p blocks, or p * p of pairs: block origin * p + destination.
enum class Blocks {
    parts,   ///< parts of one vector, whose length need not be a multiple of p
    ranks,   ///< one per rank
    pairs,   ///< one per pair of ranks
    signal,  ///< one without data: a message tells only what its sender knows
};

/// Ranks that have a block before or after the collective.
enum class Owner {
    root,
    number,  ///< the rank with the number of the block
    first,   ///< the origin of a pair; `second`: its destination
    second,
    every,  ///< before: every rank contributes, and the contributions are reduced
};

/// Ranks whose contributions a result holds.
enum class Summed {
    all,
    through,  ///< the ranks up to the one with the result (an inclusive prefix sum)
    below,    ///< the ranks before it (an exclusive one)
};

/// Content of a user's buffer.
enum class Content { nothing, vector, block, blocks };
struct BufferSpec {
    Content at_root, elsewhere;  ///< equal for collectives without a root
};
/// The buffer that MPI_IN_PLACE may replace; in rooted collectives at the root only.
enum class InPlace { none, send, recv };

/// Definition of a collective (MPI 4.1, Chap. 6).
struct CollectiveSpec {
    Collective collective;
    const char* name;
    Blocks blocks;
    Owner before, after;
    BufferSpec send, recv;  ///< bcast: its one buffer is `recv`
    InPlace in_place;
    Summed summed = Summed::all;

    constexpr bool rooted() const { return before == Owner::root || after == Owner::root; }
    /// Whether every rank contributes: data that is reduced, or that it has arrived.
    constexpr bool combines() const { return before == Owner::every; }
    constexpr bool has_data() const { return blocks != Blocks::signal; }
    constexpr bool reduces() const { return combines() && has_data(); }
    /// Whether the result differs from rank to rank.
    constexpr bool prefix() const { return summed != Summed::all; }
    /// Whether blocks are numbered by ranks, so that renumbering the ranks renumbers the blocks.
    constexpr bool blocks_of_ranks() const {
        return blocks == Blocks::ranks || blocks == Blocks::pairs || after == Owner::number;
    }
};

namespace specs {

inline constexpr BufferSpec none{Content::nothing, Content::nothing};
inline constexpr BufferSpec vector{Content::vector, Content::vector};
inline constexpr BufferSpec block{Content::block, Content::block};
inline constexpr BufferSpec blocks{Content::blocks, Content::blocks};
inline constexpr BufferSpec vector_at_root{Content::vector, Content::nothing};
inline constexpr BufferSpec blocks_at_root{Content::blocks, Content::nothing};

using enum Collective;
using enum Blocks;
using enum Owner;

/// Rows in the order of Collective.
inline constexpr CollectiveSpec rows[] = {
    {bcast, "bcast", parts, root, every, none, vector, InPlace::none},
    {reduce, "reduce", parts, every, root, vector, vector_at_root, InPlace::send},
    {allreduce, "allreduce", parts, every, every, vector, vector, InPlace::send},
    {reduce_scatter, "reduce_scatter", parts, every, number, blocks, block, InPlace::send},
    {scatter, "scatter", ranks, root, number, blocks_at_root, block, InPlace::recv},
    {gather, "gather", ranks, number, root, block, blocks_at_root, InPlace::send},
    {allgather, "allgather", ranks, number, every, block, blocks, InPlace::send},
    {alltoall, "alltoall", pairs, first, second, blocks, blocks, InPlace::send},
    {alltoallv, "alltoallv", pairs, first, second, blocks, blocks, InPlace::send},
    {barrier, "barrier", signal, every, every, none, none, InPlace::none},
    {scan, "scan", parts, every, every, vector, vector, InPlace::send, Summed::through},
    {exscan, "exscan", parts, every, every, vector, vector, InPlace::send, Summed::below},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < std::size(rows); ++i)
        if (rows[i].collective != static_cast<Collective>(i)) return false;
    return true;
}
static_assert(in_order());

}  // namespace specs

inline constexpr int kCollectives = static_cast<int>(std::size(specs::rows));
constexpr const CollectiveSpec& spec(Collective c) {
    return specs::rows[static_cast<std::size_t>(c)];
}

const char* name(Collective c);
/// The collective of this name. Throws Error naming the known ones.
Collective collective_named(const std::string& text);
bool rooted(Collective c);
bool reduces(Collective c);
/// Whether the collective has a block for every pair of ranks.
bool pairs(Collective c);
std::int64_t block_count(Collective c, int p);

}  // namespace hopbine
