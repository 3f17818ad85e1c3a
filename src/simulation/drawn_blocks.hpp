/// Blocks of an alltoallv with sizes of their own, as a simulator sees them.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/distribution.h"
#include "schedule/algorithm.hpp"

namespace hopbine::simulation {

/// Sizes of the blocks of an alltoallv, drawn as hopbine-bench draws them, and the messages that
/// carry them (docs/alltoallv.md).
class DrawnBlocks {
public:
    static constexpr int kMostRanks = 16384;  ///< whose sizes take 2 GiB
    /// Draws the sizes between `ranks` ranks. Throws Error if they are too many.
    DrawnBlocks(const distribution& d, int ranks);
    /// Copies the bytes of the blocks, by origin and destination. Throws Error unless there is one
    /// from each of `ranks` ranks to each, none negative.
    DrawnBlocks(std::span<const std::int64_t> bytes, int ranks);
    /// Bytes of the messages that a rank sends or receives with a move, with their headers. None
    /// for a single block without bytes from its origin to its destination, one of a byte with
    /// Wire::with_empty.
    std::vector<std::int64_t> messages(const Problem& q, int rank, const Move& m, Wire wire) const;
    std::int64_t largest() const { return largest_; }

private:
    std::int64_t ranks_, largest_ = 0;
    std::vector<std::int64_t> bytes_;  ///< by origin and destination
};
using DrawnBlocksPtr = std::shared_ptr<const DrawnBlocks>;

/// Whether a message is one block from its origin to its destination, which needs no header.
bool bare(const Move& m, int rank, const Problem& q);

}  // namespace hopbine::simulation
