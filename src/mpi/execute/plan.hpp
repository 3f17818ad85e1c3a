/// One rank's schedule bound to memory, whatever the number of bytes: built once, run for every
/// size.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/algorithm.hpp"

namespace hopbine::mpi {

/// Where a block lies. `work` is the vector or the user's buffer, `recv` the second user buffer of
/// alltoall, `temp` slots for what passes through.
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
    std::uint32_t begin, end;  ///< pieces
    bool onward = false;       ///< added to the next message received in the step, which has equal
                               ///< pieces, instead of to its place
};

/// The messages of a channel in one step of the schedule. Steps without any are left out.
struct ChannelStep {
    std::uint32_t begin, end;  ///< messages
    bool sends_first;          ///< it adds to what it sends: sends must complete before it adds
    int phase;                 ///< begins when all channels have finished the phases before
};

/// The messages of one channel, which does not wait for the other channels.
struct Channel {
    int number;
    std::vector<ChannelStep> steps;
};

/// A message of blocks whose sizes only their origins and destinations know: it carries them.
struct SizedMessage {
    Direction direction;
    bool bare;  ///< one block, from its origin to its destination: both ends know its size
    int peer;
    std::uint32_t begin, end;  ///< of Plan::block_refs
};

/// A block of a sized message. b >= 0: in the user's buffer, the one to or from rank b. b < 0: in
/// transit, in a slot.
using BlockRef = std::int32_t;
inline constexpr BlockRef kStays = 1 << 30;
/// The slot of a block in transit.
inline std::size_t slot(BlockRef h) { return static_cast<std::size_t>(~h & (kStays - 1)); }
/// A received block that is sent on in the next step stays in its receive buffer.
inline bool stays(BlockRef h) { return h < 0 && (~h & kStays) != 0; }

/// Sizes that a rank remembers of the last call of a plan of sized messages.
struct Recalled {
    bool whole = false;                 ///< all of them are known
    std::vector<std::int64_t> own;      ///< bytes of the blocks that it sent from the user's buffer
    std::vector<std::int64_t> lengths;  ///< bytes of the blocks of each sized message, which its
                                        ///< sender and its receiver both know
    std::vector<std::int64_t> sizes;    ///< bytes of each block that was received
};

struct Plan {
    const Algorithm* algorithm = nullptr;
    int rank = 0;
    std::vector<Message> messages;
    std::vector<Piece> pieces;
    std::vector<std::uint32_t> steps;  ///< step s has messages steps[s] .. steps[s+1]
    std::vector<bool> sends_first;     ///< step s adds to what it sends: sends must complete before
    std::vector<Channel> channels;  ///< instead of steps where the schedule has several channels:
                                    ///< those that this rank uses
    int phases = 0;                 ///< of channels
    std::vector<std::int64_t>
        positions;  ///< block b lies at positions[b] of the working buffer; empty: at b
    int parts = 1;  ///< of a block; positions are those of parts
    std::int64_t temp_slots = 0;  ///< blocks
    std::int64_t own_slot =
        -1;  ///< gather, scatter: the temp slot of this rank's own block; -1: user's buffer
    int direct_step = -1;  ///< the first step with messages, where it receives one contribution to
                           ///< the whole vector; else -1
    bool reduces_here = false;  ///< some receive adds to the working buffer
    std::int64_t segment = 0;   ///< bytes, 0: whole messages

    // Instead of messages, where blocks have sizes of their own.
    std::vector<SizedMessage> sized_messages;
    std::vector<BlockRef> block_refs;
    Wire wire = Wire::packed;        ///< how sizes travel
    bool headers_reach_all = false;  ///< every sized message of every rank has a header, so that
                                     ///< what headers carry reaches all ranks with the data
    mutable Recalled recalled;
};

/// The contribution that is received in plan.direct_step.
const Message& direct_contribution(const Plan& plan);

/// Makes the plan of a rank. `problem` is resolved; `schedule` is that of all ranks, renumbered
/// where asked. `sized_messages`: blocks have sizes of their own (gatherv, scatterv, alltoallv).
Plan make_plan(const Algorithm& a, const Problem& problem, const Schedule& schedule, int rank,
               bool sized_messages);

}  // namespace hopbine::mpi
