/// The turns of a node's ranks: kernels that are begun again until all are over.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "device/node_parts.hpp"

namespace hopbine::device {

/// One rank's. All ranks make the same calls, in the same order.
class NodeTurns {
public:
    /// `arenas`: of all ranks, as this rank's device sees them. `over`: a number for each block of
    /// a kernel, which the device writes. `patience`: see hopbine_node.
    NodeTurns(std::span<char* const> arenas, std::uint32_t rank, std::size_t room,
              std::uint32_t patience, std::uint32_t* over) {
        std::ranges::copy(arenas, node_.arena);
        node_.ranks = static_cast<std::uint32_t>(arenas.size());
        node_.rank = rank;
        node_.room = room;
        node_.patience = patience;
        node_.over = over;
        std::fill_n(over, +HOPBINE_NODE_BLOCKS, 0u);
    }

    /// Makes a call. begin(node) begins a kernel after those before; wait(over) waits until over(),
    /// or for all kernels to end. Those that have given up are begun again, after late(). False:
    /// begin or wait has returned it.
    template <class Begin, class Wait, class Late>
    bool run(const NodeParts& parts, const Begin& begin, const Wait& wait, const Late& late) {
        const std::uint32_t before = turns_;
        turns_ += parts.pieces(static_cast<std::int64_t>(node_.room));
        while (over() != turns_) {
            for (std::uint32_t turn = over() + 1; turn != turns_ + 1; ++turn) {
                parts.set(turn - before - 1, node_);
                node_.turn = turn;
                if (!begin(node_)) return false;
            }
            if (!wait([&] { return over() == turns_; })) return false;
            if (over() != turns_) late();
        }
        return true;
    }

    /// The kernel of a call in one piece, for begin() of such calls: as often as it is replayed.
    hopbine_node replayed(const NodeParts& parts) {
        parts.set(0, node_);
        hopbine_node out = node_;
        out.replayed = 1;
        return out;
    }

    NodeRank me() const { return {node_.ranks, node_.rank}; }

private:
    /// The turn that all blocks are over with.
    std::uint32_t over() const {
        std::uint32_t behind = 0;
        for (int b = 0; b < HOPBINE_NODE_BLOCKS; ++b)
            behind = std::max(behind, turns_ - __atomic_load_n(&node_.over[b], __ATOMIC_ACQUIRE));
        return turns_ - behind;
    }

    hopbine_node node_{};
    std::uint32_t turns_ = 0;  ///< begun so far, the same on all ranks
};

}  // namespace hopbine::device
