/// A call as the devices of a node make it (kernels/node_collectives.h): the parts of its data, and
/// pieces of them that fit an arena.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "device/kernels/node.h"

namespace hopbine::device {

/// Bytes of a vector from which on each rank adds or copies a part for all: below, each does all of
/// it. On 8 ranks all of it reads 8 times as much, and waits once less (1 to 2 us on one H200).
inline constexpr std::int64_t kSharedFrom = 256 << 10;

/// A number for each rank of a node.
using OfRanks = std::array<std::int64_t, HOPBINE_NODE_RANKS>;

/// What a rank has to do in a call.
struct NodeParts {
    std::string kernel;      ///< the arithmetic, as sum_f32; or "copies"
    std::int64_t width = 1;  ///< bytes of an element
    std::uint32_t ranks = 0, rank = 0;
    /// Elements of the blocks of all ranks, or those of a vector, which is the first block then.
    OfRanks n{};
    bool is_vector = false;
    OfRanks in{}, out{};  ///< bytes from where this rank's buffers begin to each block
    std::uint32_t gives = 0, from = 0;  ///< bit q: block q; bit k: rank k (node.h)
    bool apart = false;                 ///< rank k's data is block k of the output
    bool receives = true;
    std::int64_t shared_from = kSharedFrom;

    /// Elements of the vector, or of each block, that go through inputs of `room` bytes at once.
    std::int64_t piece(std::int64_t room) const;
    /// Bytes of inputs through which the call goes in one piece.
    std::int64_t room() const;
    /// Kernels that the call takes, each with a piece; the same on all ranks.
    std::uint32_t pieces(std::int64_t room) const;
    /// Tells a kernel of its piece. The rest of `node` stays.
    void set(std::uint32_t number, hopbine_node& node) const;
    /// Elements of a vector of n that are each rank's, but for the last ones: whole words.
    std::int64_t share(std::int64_t n) const;

private:
    /// A rank gives one block, or a vector, which has the whole input.
    bool gives_one() const;
    void set_vector(std::int64_t at, std::int64_t most, hopbine_node& node) const;
    void set_blocks(std::int64_t at, std::int64_t most, hopbine_node& node) const;
};

/// A rank among those of its node.
struct NodeRank {
    std::uint32_t ranks, rank;
};

/// Adds vectors of n elements. `root`: the rank that gets the result; -1: all do.
NodeParts node_reduction(NodeRank me, std::string kernel, std::int64_t width, std::int64_t n,
                         int root);
/// Adds blocks of n[q] elements, one behind the other; each rank gets the sum of its number.
NodeParts node_reduce_scatter(NodeRank me, std::string kernel, std::int64_t width,
                              const OfRanks& n);
/// Copies n bytes of the root to all.
NodeParts node_bcast(NodeRank me, std::int64_t n, int root);
/// Copies the block of n bytes of each rank to all: the input is that of this rank alone.
NodeParts node_allgather(NodeRank me, std::int64_t n);
/// The sum of vectors in two calls: each rank gets the sum of a part, and then copies the parts of
/// all, of which its own may lie in its place.
struct NodeHalves {
    NodeParts sum, gather;
};
NodeHalves node_halves(const NodeParts& reduction);
/// Copies the block of its number, of n bytes, to each rank from each.
NodeParts node_alltoall(NodeRank me, std::int64_t n);

}  // namespace hopbine::device
