/// What is true of a schedule as a whole, for those who read it without walking all of it.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "schedule/block_set.hpp"

namespace hopbine {

/// How a set of several runs travels: packed into one message, or one message per run. Packed
/// blocks of an alltoallv, whose sizes the receiver does not know: with their sizes at the head
/// (packed), after a message with the sizes, or all of them padded to the largest block of the
/// call, so that there is nothing to tell.
enum class Wire { packed, per_run, sizes_first, padded };

const char* name(Wire w);

/// Where block b lies in the working buffer; a permutation of 0..p-1. Null: block b lies at b.
using Layout = std::shared_ptr<const std::vector<Block>>;

/// What a schedule says of itself. A combinator makes all of it from that of its members, in one
/// expression; the tests hold it against full walks of random compositions.
struct Traits {
    /// How many parts a block is in. Moves speak of parts, numbered block * parts + part.
    int parts = 1;
    /// Parts are numbered part * blocks + block instead, so that those of a channel lie together:
    /// for collectives whose blocks are parts of the vector, where any numbering will do.
    bool parts_together = false;
    /// How many channels moves are on: 0..channels-1. Each moves parts that no other does.
    int channels = 1;
    Wire wire = Wire::packed;
    /// The paper's "permute" (Bine SC'25, Sec. 4.3.1).
    Layout layout = {};

    // Symmetry: what analysis may rely on so as not to walk what is equal.

    /// q > 0: rank r + q moves as much as rank r, to peers q further on (mod p). 0: nothing is
    /// said.
    int period = 0;
    /// Rank r xor m moves as much as rank r, to peers xor m, for every m: p is a power of two.
    bool mirrored = false;
    /// Steps with equal values move as much between the same ranks; the value is one of these
    /// steps. Not given: each step is its own.
    std::function<int(int step)> classes = {};
    /// Before this step all channels of a rank first finish the steps before it; else channels go
    /// on by themselves. Not given: before none.
    std::function<bool(int step)> barriers = {};

    Block position(Block b) const { return layout ? (*layout)[static_cast<std::size_t>(b)] : b; }
    int step_class(int step) const { return classes ? classes(step) : step; }
    bool barrier(int step) const { return barriers && barriers(step); }
};

/// Throws Error unless members of `combinator` agree in parts and their numbers, channels, wire and
/// layout, with both values.
void require_fit(const char* combinator, const Traits& first, const Traits& other);
/// Throws Error unless the schedule has one part and one channel.
void require_whole(const char* combinator, const Traits& inner);

}  // namespace hopbine
