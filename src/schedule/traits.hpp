/// Properties of a schedule as a whole, for readers that do not walk all of its steps.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "schedule/block_set.hpp"

namespace hopbine {

enum class Op : std::uint8_t;  // schedule/schedule.hpp

/// How several runs of blocks travel to a peer:
/// - packed: in one message; blocks of unknown size (alltoallv) with their sizes in its header
/// - per_run: in one message per run
/// - sizes_first: packed, after a message with the sizes (alltoallv)
/// - padded: packed, every block padded to the largest of the call, so that no sizes are sent
///   (alltoallv)
/// - with_empty: packed, and a block without data is a message too (alltoallv)
enum class Wire { packed, per_run, sizes_first, padded, with_empty };

const char* name(Wire w);

/// Position of block b in the working buffer: a permutation of 0..p-1. Null: block b lies at b.
using Layout = std::shared_ptr<const std::vector<Block>>;

/// Steps first .. first + times - 1 with equal moves, but for their blocks: those of each step are
/// `shift` further than those of the one before, mod the number of all parts.
struct Repeat {
    int first, times;
    Block shift;
};

/// Properties of a schedule. A combinator derives all of them from those of its members, in one
/// expression. The tests compare them with full walks of random compositions.
struct Traits {
    /// Number of parts of a block. Moves refer to parts, numbered block * parts + part.
    int parts = 1;
    /// Parts are numbered part * blocks + block instead, so that those of a channel are contiguous.
    /// For collectives whose blocks are parts of the vector, where any numbering is valid.
    bool parts_together = false;
    /// Number of channels, 0..channels-1. No two channels move the same part.
    int channels = 1;
    Wire wire = Wire::packed;
    /// The paper's "permute" (Bine SC'25, Sec. 4.3.1).
    Layout layout = {};
    /// Blocks are copied between a user's order and the layout's while messages are in flight (App.
    /// B), not before the first step or after the last.
    bool copies_in_flight = false;

    // Symmetry, which lets analysis skip equivalent ranks and steps.

    /// q > 0: rank r + q moves as many blocks as rank r, with peers q further (mod p). 0: unknown.
    int period = 0;
    /// Rank r xor m moves as many blocks as rank r, with peers xor m, for every m. Needs p to be a
    /// power of two.
    bool mirrored = false;
    /// The op of all messages if in all steps together every rank sends one message with one block
    /// to every other rank; else none.
    std::optional<Op> complete = {};
    /// Class of a step, named by one of its steps. Steps of a class move the same number of blocks
    /// between the same ranks. Null: every step is its own class.
    std::function<int(int step)> classes = {};
    /// The steps that a step repeats, so that one of them can stand for all. Null: every step is
    /// its own.
    std::function<Repeat(int step)> repeats = {};
    /// Whether all channels of a rank complete the previous steps before this one starts. Otherwise
    /// channels progress independently. Null: no barriers.
    std::function<bool(int step)> barriers = {};

    Block position(Block b) const { return layout ? (*layout)[static_cast<std::size_t>(b)] : b; }
    int step_class(int step) const { return classes ? classes(step) : step; }
    Repeat repeat(int step) const { return repeats ? repeats(step) : Repeat{step, 1, 0}; }
    bool barrier(int step) const { return barriers && barriers(step); }
};

/// A count of parts as a number of blocks. Schedules differ in parts, so that only blocks compare.
inline double in_blocks(std::int64_t parts, int parts_of_block) {
    return static_cast<double>(parts) / parts_of_block;
}

/// Throws Error unless members of `combinator` agree; the message has both values. Compares parts
/// and their numbering, channels, wire and layout.
void require_fit(const char* combinator, const Traits& first, const Traits& other);
/// Throws Error unless the schedule has one part and one channel.
void require_whole(const char* combinator, const Traits& inner);

}  // namespace hopbine
