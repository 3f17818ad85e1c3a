#include "schedule/collective.hpp"

#include "schedule/bounds.hpp"
#include "schedule/near_names.hpp"
#include "schedule/problem.hpp"

namespace hopbine {

namespace {

constexpr BufferSpec none{Content::nothing, Content::nothing};
constexpr BufferSpec vector{Content::vector, Content::vector};
constexpr BufferSpec block{Content::block, Content::block};
constexpr BufferSpec blocks{Content::blocks, Content::blocks};
constexpr BufferSpec vector_at_root{Content::vector, Content::nothing};
constexpr BufferSpec blocks_at_root{Content::blocks, Content::nothing};

/// Rows in the order of Collective.
constexpr CollectiveSpec kSpecs[] = {
    {"bcast", Blocks::parts, Owner::root, Owner::every, none, vector, InPlace::none},
    {"reduce", Blocks::parts, Owner::every, Owner::root, vector, vector_at_root, InPlace::send},
    {"allreduce", Blocks::parts, Owner::every, Owner::every, vector, vector, InPlace::send},
    {"reduce_scatter", Blocks::parts, Owner::every, Owner::number, blocks, block, InPlace::send},
    {"scatter", Blocks::ranks, Owner::root, Owner::number, blocks_at_root, block, InPlace::recv},
    {"gather", Blocks::ranks, Owner::number, Owner::root, block, blocks_at_root, InPlace::send},
    {"allgather", Blocks::ranks, Owner::number, Owner::every, block, blocks, InPlace::send},
    {"alltoall", Blocks::pairs, Owner::first, Owner::second, blocks, blocks, InPlace::send},
    {"alltoallv", Blocks::pairs, Owner::first, Owner::second, blocks, blocks, InPlace::send},
    {"barrier", Blocks::signal, Owner::every, Owner::every, none, none, InPlace::none},
    {"scan", Blocks::parts, Owner::every, Owner::every, vector, vector, InPlace::send,
     Summed::through},
    {"exscan", Blocks::parts, Owner::every, Owner::every, vector, vector, InPlace::send,
     Summed::below},
};
static_assert(std::size(kSpecs) == kCollectives);

}  // namespace

const CollectiveSpec& spec(Collective c) { return kSpecs[static_cast<std::size_t>(c)]; }

const char* name(Collective c) { return spec(c).name; }
bool rooted(Collective c) { return spec(c).rooted(); }
bool reduces(Collective c) { return spec(c).reduces(); }
bool pairs(Collective c) { return spec(c).blocks == Blocks::pairs; }

std::int64_t block_count(Collective c, int p) {
    switch (spec(c).blocks) {
    case Blocks::pairs: return std::int64_t{p} * p;
    case Blocks::signal: return 1;
    case Blocks::parts:
    case Blocks::ranks: break;
    }
    return p;
}

Collective collective_named(const std::string& text) {
    std::vector<std::string> names;
    for (int i = 0; i < kCollectives; ++i) {
        const auto c = static_cast<Collective>(i);
        if (text == name(c)) return c;
        names.emplace_back(name(c));
    }
    throw Error("unknown collective '" + shown(text) + "' (known: " + listed(names) + ")" +
                is_meant(text, names));
}

}  // namespace hopbine
