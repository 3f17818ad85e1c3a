/// One rank's schedule bound to memory: built once, run for every number of bytes.
#pragma once
#include <cstdint>
#include <variant>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine::mpi {

/// The memory that a block lies in:
/// - `work` is the vector or the user's buffer;
/// - `recv` is the second user buffer of alltoall, the contribution of an exscan;
/// - `temp` has slots for blocks in transit, or what a prefix sum keeps (Move::keeps).
enum class Space : std::uint8_t { work, recv, temp };

/// `count` blocks at positions first, first+1, ... of a space.
struct Piece {
    Space space;
    std::int64_t first, count;
};

struct Message {
    Direction direction;
    Op op;
    int peer;
    std::uint32_t begin, end;  ///< in StepView::pieces
    bool onward = false;  ///< added to the next message received in the step, which has the same
                          ///< pieces, not to its place
    bool keeps = false;   ///< kept in Space::temp as it came, besides being added to its place
};

/// The messages of one step of a channel, as an executor reads them.
struct StepView {
    const Message *begin, *end;
    const Piece* pieces;  ///< that the messages refer to
    bool sends_first;     ///< a receive adds to a block that is sent: sends must complete before
};

/// f(piece) for every piece of the step's messages.
template <class F>
void each_piece(const StepView& step, const F& f) {
    for (const Message* m = step.begin; m != step.end; ++m)
        for (std::uint32_t i = m->begin; i < m->end; ++i) f(*m, step.pieces[i]);
}

/// A step that a plan keeps for `times` steps of the schedule: the i-th of them has the pieces i *
/// shift positions further, mod Steps::circle. Steps without messages are left out.
struct ChannelStep {
    std::uint32_t begin, end;  ///< in Steps::messages
    bool sends_first;          ///< as StepView::sends_first
    int phase = 0;             ///< starts when all channels have completed the phases before
    std::uint32_t times = 1;
    std::int64_t shift = 0;
};

/// The messages of one channel. Within a phase it does not wait for the other channels.
struct Channel {
    int number;
    std::vector<ChannelStep> steps;
};

/// Memory for a step that a plan does not keep. The step is valid until the next one is read.
struct StepScratch {
    std::vector<Message> messages;
    std::vector<Piece> pieces;
};

/// Blocks whose sizes all ranks know.
struct Steps {
    std::vector<Message> messages;
    std::vector<Piece> pieces;
    std::vector<Channel> channels;  ///< those that this rank uses; at least one
    int all_channels = 1;           ///< of the schedule, on all ranks
    int phases = 1;                 ///< number of phases of the channels
    std::int64_t circle = 0;        ///< positions of the vector, for steps that repeat
    std::vector<std::int64_t>
        positions;  ///< block b lies at positions[b] of the working buffer; empty: at b
    /// The block at each position, for copies while messages are in flight
    /// (Traits::copies_in_flight); empty: blocks are copied before the first or after the last
    /// step.
    std::vector<int> block_at;
    int parts = 1;                ///< parts per block; positions are those of parts
    std::int64_t temp_slots = 0;  ///< number of temp slots, each of one block
    std::int64_t own_slot = -1;  ///< gather, scatter: temp slot of this rank's own block; -1: it is
                                 ///< in the user's buffer
    bool direct = false;  ///< the first step receives exactly one contribution to the whole vector
    bool reduces_here = false;  ///< a receive adds to the working buffer
    bool keeps = false;         ///< a receive keeps a vector in Space::temp
    bool sends_own = false;     ///< a send is of the vector in Space::recv

    /// The position of block b in the working buffer.
    std::int64_t position(int b) const {
        return positions.empty() ? b : positions[static_cast<std::size_t>(b)];
    }
    /// The message that is received in the first step, where that is `direct`.
    const Message& direct_contribution() const;
    /// Reads the `turn`-th of the steps that `step` stands for. It lies here or in `scratch`.
    StepView view(const ChannelStep& step, std::uint32_t turn, StepScratch& scratch) const {
        return turn == 0 ? kept(step) : repeated(step, turn, scratch);
    }

private:
    StepView kept(const ChannelStep& s) const {
        return {messages.data() + s.begin, messages.data() + s.end, pieces.data(), s.sends_first};
    }
    StepView repeated(const ChannelStep& s, std::uint32_t turn, StepScratch& scratch) const;
};

/// A block of a sized message.
struct BlockRef {
    std::int32_t at;  ///< the rank or the neighbour at its other end; in transit: its slot
    bool in_transit = false;
    /// A received block that is sent on in the next step stays in its receive buffer. One that is
    /// sent on in several messages has this mark in each.
    bool stays = false;
    bool operator==(const BlockRef&) const = default;
    std::size_t slot() const { return static_cast<std::size_t>(at); }
};

/// A message of blocks whose sizes only origin and destination know.
struct SizedMessage {
    Direction direction;
    bool bare;  ///< one block, from its origin to its destination: both ends know its size
    int peer;
    std::uint32_t begin, end;  ///< in SizedSteps::blocks
};

/// Blocks whose sizes only origin and destination know: gatherv, scatterv, alltoallv, and those
/// among neighbours.
struct SizedSteps {
    std::vector<SizedMessage> messages;
    std::vector<BlockRef> blocks;
    /// Step s has messages bounds[s] .. bounds[s+1]. Bare ones before bounds[0] are under way from
    /// the first step to the end.
    std::vector<std::uint32_t> bounds;
    std::int64_t slots = 0;          ///< for blocks in transit
    Wire wire = Wire::packed;        ///< how block sizes are sent
    bool headers_reach_all = false;  ///< every sized message of every rank has a header: what
                                     ///< headers carry reaches all ranks with the data
};

struct Plan {
    std::uint64_t number = 0;  ///< of the process's plans: never the same again
    const Algorithm* algorithm = nullptr;
    int rank = 0;
    std::variant<Steps, SizedSteps> moves = {};

    const Steps& steps() const { return std::get<Steps>(moves); }
    const SizedSteps& sized() const { return std::get<SizedSteps>(moves); }
};

/// A number for Plan::number.
std::uint64_t next_plan_number();

/// Makes the plan of a rank.
///
/// - `problem` is resolved.
/// - `schedule` is that of all ranks, renumbered if the choice has a numbering.
/// - `sized_messages`: only origin and destination know a block's size (gatherv, scatterv,
///   alltoallv).
Plan make_plan(const Algorithm& a, const Problem& problem, const Schedule& schedule, int rank,
               bool sized_messages);

}  // namespace hopbine::mpi
