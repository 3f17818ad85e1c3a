/// The one data structure: what each rank sends and receives in each step.
///
/// An algorithm is a pure function (problem, rank, step) -> moves. check, count, export, draw and
/// the MPI executor only read it.
#pragma once
#include <memory>
#include <vector>

#include "core/blocks.hpp"

namespace hopbine {

enum class Way : std::uint8_t { send, recv };
/// What the receiver does: take the sender's value, or add it to its own.
/// When order matters the value of the lower rank is the left operand.
enum class Mode : std::uint8_t { copy, reduce };

/// In one step, on one channel, this rank sends blocks to a peer or receives them from it.
struct Move {
    Way way;
    Mode mode;
    int peer;
    BlockSet blocks;
    int channel = 0;
};

/// Moves of one rank that are in flight together. Sends carry the values at the start of the step;
/// what is received to be added is joined from the lowest rank up (core/joining.hpp).
using Step = std::vector<Move>;

/// How a set of several runs travels: packed into one message, or one message per run. Packed
/// blocks of an alltoallv, whose sizes the receiver does not know: with their sizes at the head
/// (packed), after a message with the sizes, or all of them padded to the largest block of the
/// call, so that there is nothing to tell.
enum class Wire { packed, per_run, sizes_first, padded };

class Schedule {
public:
    virtual ~Schedule() = default;
    /// Number of steps, equal on all ranks; a rank may be idle in a step.
    virtual int steps() const = 0;
    /// Appends the moves of `rank` in step `s` to `out`. Pure; never appends an empty move.
    /// A send in step s is met by the peer's receive in step s with the same mode, channel and
    /// blocks.
    virtual void moves(int rank, int s, Step& out) const = 0;
    virtual Wire wire() const { return Wire::packed; }
    /// Where block b lies in the working buffer (the paper's "permute"); a permutation of 0..p-1.
    virtual Block position(Block b) const { return b; }
    virtual bool permutes() const { return false; }
    /// How many parts a block is in. Moves speak of parts, numbered block * parts + part; where a
    /// collective's blocks are parts of the vector any numbering of all of them will do.
    virtual int parts() const { return 1; }

    /// How many channels moves are on: 0..channels-1.
    virtual int channels() const { return 1; }
    /// Channels go on by themselves, each with parts that no other moves; where this is true, all
    /// channels of a rank first finish the steps before s.
    virtual bool together(int) const { return false; }

    // What analysis may rely on so as not to walk what is alike; the tests hold both against a full
    // walk.

    /// Steps with equal values move as much between the same ranks; the value is one of these
    /// steps.
    virtual int pattern(int s) const { return s; }
    /// q > 0: rank r + q moves as much as rank r, to peers q further on (mod p). 0: nothing is
    /// said.
    virtual int period() const { return 0; }
    /// Rank r xor m moves as much as rank r, to peers xor m, for every m: p is a power of two.
    virtual bool mirrored() const { return false; }
};

using SchedulePtr = std::shared_ptr<const Schedule>;

}  // namespace hopbine
