#include "simulation/drawn_blocks.hpp"

#include <algorithm>

#include "schedule/message_header.hpp"

namespace hopbine::simulation {

DrawnBlocks::DrawnBlocks(const distribution& d, int ranks) : ranks_(ranks) {
    if (ranks > kMostRanks)
        throw Error("blocks of given sizes are drawn for up to " + std::to_string(kMostRanks) +
                    " ranks, not " + std::to_string(ranks));
    bytes_.reserve(static_cast<std::size_t>(ranks_ * ranks_));
    for (int from = 0; from < ranks; ++from)
        for (int to = 0; to < ranks; ++to)
            bytes_.push_back(distribution_draw(&d, from, to, 0) *
                             static_cast<std::int64_t>(d.width));
    if (!bytes_.empty()) largest_ = *std::max_element(bytes_.begin(), bytes_.end());
}

DrawnBlocks::DrawnBlocks(std::span<const std::int64_t> bytes, int ranks) : ranks_(ranks) {
    const auto p = static_cast<std::size_t>(ranks);
    if (ranks > kMostRanks || bytes.size() != p * p)
        throw Error(std::to_string(bytes.size()) + " blocks are not one from each of " +
                    std::to_string(ranks) + " ranks to each, of at most " +
                    std::to_string(kMostRanks));
    const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
    if (*least < 0) throw Error("a block of " + std::to_string(*least) + " bytes");
    largest_ = *most;
    bytes_.assign(bytes.begin(), bytes.end());
}

std::vector<std::int64_t> DrawnBlocks::messages(const Problem& q, int rank, const Move& m,
                                                Wire wire) const {
    std::int64_t bytes = 0;
    for (const Run& run : m.blocks.runs())
        for (Block b = run.lo; b < run.hi; ++b)
            bytes += bytes_[static_cast<std::size_t>(origin(q, b) * ranks_ + destination(q, b))];
    if (bare(m, rank, q)) {
        if (wire == Wire::with_empty) return {std::max<std::int64_t>(1, bytes)};
        return bytes > 0 ? std::vector<std::int64_t>{bytes} : std::vector<std::int64_t>{};
    }
    const std::int64_t blocks = m.blocks.size();
    if (wire == Wire::padded) return {std::max<std::int64_t>(1, blocks * largest_)};
    const MessageHeader header{.narrow = MessageHeader::fits_narrow(bytes)};
    if (wire == Wire::sizes_first) {
        if (bytes == 0) return {header.length(blocks)};
        return {header.length(blocks), bytes};
    }
    return {header.length(blocks) + bytes};
}

bool bare(const Move& m, int rank, const Problem& q) {
    if (m.blocks.size() != 1) return false;
    const Block only = m.blocks.runs().front().lo;
    const int from = m.direction == Direction::send ? rank : m.peer,
              to = m.direction == Direction::send ? m.peer : rank;
    return origin(q, only) == from && destination(q, only) == to;
}

}  // namespace hopbine::simulation
