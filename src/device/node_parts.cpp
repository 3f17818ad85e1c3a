#include "device/node_parts.hpp"

#include <algorithm>
#include <utility>

namespace hopbine::device {

namespace {

constexpr std::int64_t kWide = 16;  ///< bytes that a thread of a kernel loads at once
constexpr std::uint32_t kAll = (1u << HOPBINE_NODE_RANKS) - 1;

std::int64_t up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

/// Blocks of n bytes, one behind the other.
OfRanks places(std::int64_t n) {
    OfRanks out{};
    for (std::size_t q = 0; q < out.size(); ++q) out[q] = static_cast<std::int64_t>(q) * n;
    return out;
}

NodeParts call(NodeRank me, std::string kernel, std::int64_t width) {
    NodeParts out;
    out.kernel = std::move(kernel);
    out.width = width;
    out.ranks = me.ranks;
    out.rank = me.rank;
    out.gives = out.from = kAll;
    return out;
}

/// A block of n bytes for each rank.
NodeParts blocks(NodeRank me, std::int64_t n) {
    NodeParts out = call(me, "copies", 1);
    std::fill_n(out.n.begin(), me.ranks, n);
    out.in = out.out = places(n);
    out.apart = true;
    return out;
}

}  // namespace

NodeParts node_reduction(NodeRank me, std::string kernel, std::int64_t width, std::int64_t n,
                         int root) {
    NodeParts out = call(me, std::move(kernel), width);
    out.is_vector = true;
    out.n[0] = n;
    out.receives = root < 0 || me.rank == static_cast<std::uint32_t>(root);
    return out;
}

NodeParts node_reduce_scatter(NodeRank me, std::string kernel, std::int64_t width,
                              const OfRanks& n) {
    NodeParts out = call(me, std::move(kernel), width);
    out.n = n;
    for (std::size_t q = 1; q < n.size(); ++q) out.in[q] = out.in[q - 1] + n[q - 1] * width;
    return out;
}

NodeParts node_bcast(NodeRank me, std::int64_t n, int root) {
    NodeParts out = call(me, "copies", 1);
    const bool is_root = me.rank == static_cast<std::uint32_t>(root);
    out.is_vector = true;
    out.n[0] = n;
    out.gives = is_root ? kAll : 0;
    out.from = 1u << root;
    out.receives = !is_root;
    return out;
}

NodeParts node_allgather(NodeRank me, std::int64_t n) {
    NodeParts out = blocks(me, n);
    out.gives = 1u << me.rank;
    out.in = {};
    return out;
}

NodeHalves node_halves(const NodeParts& reduction) {
    const NodeRank me{reduction.ranks, reduction.rank};
    const std::int64_t all = reduction.n[0], share = reduction.share(all);
    OfRanks n{};
    for (std::uint32_t q = 0; q < me.ranks; ++q)
        n[q] = std::clamp(all - q * share, std::int64_t{0}, share);
    NodeHalves out{node_reduce_scatter(me, reduction.kernel, reduction.width, n),
                   node_allgather(me, 0)};
    for (std::uint32_t q = 0; q < me.ranks; ++q) out.gather.n[q] = n[q] * reduction.width;
    out.gather.out = out.sum.in;
    return out;
}

NodeParts node_alltoall(NodeRank me, std::int64_t n) { return blocks(me, n); }

std::int64_t NodeParts::share(std::int64_t n) const {
    const std::int64_t each = kWide / width;
    return up(up(n, each) / each, ranks) / ranks * each;
}

bool NodeParts::gives_one() const { return is_vector || gives != kAll; }

std::int64_t NodeParts::piece(std::int64_t room) const {
    return (gives_one() ? room : room / ranks / kWide * kWide) / width;
}

/// Half of it holds a share of a vector: no two are more than that, but for their last words.
std::int64_t NodeParts::room() const {
    const std::int64_t block = up(std::ranges::max(n) * width, kWide);
    return gives_one() ? up(block, 2 * kWide) : block * ranks;
}

std::uint32_t NodeParts::pieces(std::int64_t room) const {
    return static_cast<std::uint32_t>(up(std::ranges::max(n), piece(room)) / piece(room));
}

void NodeParts::set(std::uint32_t number, hopbine_node& node) const {
    const std::int64_t most = piece(static_cast<std::int64_t>(node.room));
    node.gives = gives;
    node.from = from;
    node.apart = apart;
    node.receives = receives;
    if (is_vector)
        set_vector(most * number, most, node);
    else
        set_blocks(most * number, most, node);
}

/// Parts of whole words, of which no two ranks have the same. A short vector is one part.
void NodeParts::set_vector(std::int64_t at, std::int64_t most, hopbine_node& node) const {
    const std::int64_t all = std::min(most, n[0] - at);
    node.shares = all * width >= shared_from;
    node.keeps = node.shares;
    node.takes = node.shares ? rank : 0;
    const std::int64_t some = node.shares ? share(all) : all;
    for (std::uint32_t q = 0; q < ranks; ++q) {
        const std::int64_t begin = std::min(q * some, all), end = std::min(begin + some, all);
        const auto begins = static_cast<std::uint64_t>((at + begin) * width);
        if (begin == end)
            node.part[q] = {};
        else
            node.part[q] = {begins, begins, static_cast<std::uint64_t>(begin * width),
                            static_cast<std::uint64_t>(end - begin)};
    }
}

void NodeParts::set_blocks(std::int64_t at, std::int64_t most, hopbine_node& node) const {
    std::int64_t place = 0;
    node.shares = 0;
    node.keeps = gives == kAll;
    node.takes = rank;
    for (std::uint32_t q = 0; q < ranks; ++q) {
        const std::int64_t begin = std::min(at, n[q]), some = std::min(most, n[q] - begin);
        node.part[q] = {static_cast<std::uint64_t>(in[q] + begin * width),
                        static_cast<std::uint64_t>(out[q] + begin * width),
                        static_cast<std::uint64_t>(gives == kAll ? place : 0),
                        static_cast<std::uint64_t>(some)};
        place += up(some * width, kWide);
    }
}

}  // namespace hopbine::device
