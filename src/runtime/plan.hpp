/// One rank's schedule bound to memory: built once, run for every number of bytes.
#pragma once
#include <cstdint>
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
    std::uint32_t begin, end;  ///< in Plan::pieces
    bool onward = false;  ///< added to the next message received in the step, which has the same
                          ///< pieces, not to its place
    bool keeps = false;   ///< kept in Space::temp as it came, besides being added to its place
};

/// The messages of a channel in one step of the schedule. Steps without messages are left out.
struct ChannelStep {
    std::uint32_t begin, end;  ///< in Plan::messages
    bool sends_first;  ///< a receive adds to a block that is sent: sends must complete before
    int phase;         ///< starts when all channels have completed the phases before
};

/// The messages of one channel. Within a phase it does not wait for the other channels.
struct Channel {
    int number;
    std::vector<ChannelStep> steps;
};

/// The messages of one step, as an executor reads them.
struct StepView {
    const Message *begin, *end;
    const Piece* pieces;  ///< that the messages refer to
    bool sends_first;     ///< a receive adds to a block that is sent: sends must complete before
};

/// Memory for a step that a plan does not keep. The step is valid until the next one is read.
struct StepScratch {
    std::vector<Message> messages;
    std::vector<Piece> pieces;
};

/// A step that a plan keeps for `times` steps of the schedule: the i-th of them has the pieces i *
/// shift positions further, mod Plan::circle.
struct Stretch {
    std::uint32_t first;  ///< step of the schedule
    std::uint32_t times;
    std::int64_t shift;
};

/// A message of blocks whose sizes only origin and destination know.
struct SizedMessage {
    Direction direction;
    bool bare;  ///< one block, from its origin to its destination: both ends know its size
    int peer;
    std::uint32_t begin, end;  ///< in Plan::block_refs
};

/// A block of a sized message. b >= 0: in the user's buffer, the block to or from rank b, or to or
/// from neighbour b. b < 0: in transit, in slot(b).
using BlockRef = std::int32_t;
inline constexpr BlockRef kStays = 1 << 30;
/// The slot of a block in transit.
inline std::size_t slot(BlockRef h) { return static_cast<std::size_t>(~h & (kStays - 1)); }
/// A received block that is sent on in the next step stays in its receive buffer. One that is sent
/// on in several messages has this mark in each.
inline bool stays(BlockRef h) { return h < 0 && (~h & kStays) != 0; }

struct Plan {
    std::uint64_t number = 0;  ///< of the process's plans: never the same again
    const Algorithm* algorithm = nullptr;
    int rank = 0;
    std::vector<Message> messages;
    std::vector<Piece> pieces;
    std::vector<std::uint32_t> steps;  ///< kept step s has messages steps[s] .. steps[s+1]
    std::vector<bool> sends_first;     ///< [kept step] StepView::sends_first
    std::vector<Stretch> stretches;    ///< of each kept step; empty: every step is kept
    std::int64_t circle = 0;           ///< positions of the vector, for stretches
    std::vector<Channel> channels;  ///< replaces `steps` where the schedule has several channels:
                                    ///< those that this rank uses
    int phases = 0;                 ///< number of phases of the channels
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
    int direct_step = -1;  ///< first step with messages, if it receives exactly one contribution to
                           ///< the whole vector; else -1
    bool reduces_here = false;  ///< a receive adds to the working buffer
    bool keeps = false;         ///< a receive keeps a vector in Space::temp
    bool sends_own = false;     ///< a send is of the vector in Space::recv

    // gatherv, scatterv, alltoallv: instead of messages.
    // Bare ones before steps[0] are under way from the first step to the end.
    std::vector<SizedMessage> sized_messages;
    std::vector<BlockRef> block_refs;
    Wire wire = Wire::packed;        ///< how block sizes are sent
    bool headers_reach_all = false;  ///< every sized message of every rank has a header: what
                                     ///< headers carry reaches all ranks with the data

    /// Number of steps without channels; for sized messages too.
    std::size_t step_count() const {
        return stretches.empty() ? steps.size() - 1
                                 : std::size_t{stretches.back().first} + stretches.back().times;
    }
    /// Reads step s < step_count(). It lies in the plan or in `scratch`.
    StepView step(std::size_t s, StepScratch& scratch) const {
        return stretches.empty() ? kept(s) : expanded(s, scratch);
    }

    /// The position of block b in the working buffer.
    std::int64_t position(int b) const {
        return positions.empty() ? b : positions[static_cast<std::size_t>(b)];
    }

private:
    StepView kept(std::size_t s) const {
        return {messages.data() + steps[s], messages.data() + steps[s + 1], pieces.data(),
                sends_first[s]};
    }
    StepView expanded(std::size_t s, StepScratch& scratch) const;
};

/// A number for Plan::number.
std::uint64_t next_plan_number();

/// The message that is received in plan.direct_step.
const Message& direct_contribution(const Plan& plan);

/// Makes the plan of a rank.
///
/// - `problem` is resolved.
/// - `schedule` is that of all ranks, renumbered if the choice has a numbering.
/// - `sized_messages`: only origin and destination know a block's size (gatherv, scatterv,
///   alltoallv).
Plan make_plan(const Algorithm& a, const Problem& problem, const Schedule& schedule, int rank,
               bool sized_messages);

}  // namespace hopbine::mpi
