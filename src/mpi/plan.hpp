/// One rank's schedule bound to places in memory, independent of bytes: built once, run for every
/// size.
#pragma once
#include <cstdint>
#include <vector>

#include "core/algorithm.hpp"

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
    Way way;
    Mode mode;
    int peer;
    std::uint32_t begin, end;  ///< pieces
    bool onward = false;       ///< received to be added to the next message of the step, of equal
                               ///< pieces, not yet to its place
};

/// What a lane does in one step of the schedule; steps in which it does nothing are left out.
struct LaneStep {
    std::uint32_t begin, end;  ///< messages
    bool sends_first;          ///< it adds to what it sends: its sends must be over before
    int phase;                 ///< begins when all lanes have finished the phases before
};

/// The messages of one channel, which goes on by itself.
struct Lane {
    int channel;
    std::vector<LaneStep> steps;
};

/// A message of blocks whose sizes only their origins and destinations know.
struct Letter {
    Way way;
    bool bare;  ///< one block, from its origin to its destination: both ends know its size
    int peer;
    std::uint32_t begin, end;  ///< hops
};

/// A block of a letter: h >= 0 is of the user's buffer, the one for or from rank h; h < 0 passes
/// through, in a slot.
using Hop = std::int32_t;
inline constexpr Hop kStays = 1 << 30;
/// Of a hop that passes through.
inline std::size_t slot(Hop h) { return static_cast<std::size_t>(~h & (kStays - 1)); }
/// What is received and leaves in the step after may wait for that where it arrived.
inline bool stays(Hop h) { return h < 0 && (~h & kStays) != 0; }

/// What a rank remembers of the last call that a plan of letters served.
struct Recalled {
    bool whole = false;                 ///< all of it is there
    std::vector<std::int64_t> own;      ///< bytes of the blocks that it sent from the user's buffer
    std::vector<std::int64_t> lengths;  ///< bytes of the blocks of each letter, which its sender
                                        ///< and its receiver both know
    std::vector<std::int64_t> sizes;    ///< bytes of the block of each hop that was received
};

struct Plan {
    const Algorithm* algorithm = nullptr;
    int rank = 0;
    std::vector<Message> messages;
    std::vector<Piece> pieces;
    std::vector<std::uint32_t> steps;  ///< step s has messages steps[s] .. steps[s+1]
    std::vector<bool> sends_first;  ///< step s adds to what it sends: its sends must be over before
    std::vector<Lane> lanes;  ///< instead of steps, where the schedule has several channels; of
                              ///< those that this rank is on
    int phases = 0;           ///< of lanes
    std::vector<std::int64_t>
        positions;  ///< block b lies at positions[b] of the working buffer; empty: at b
    int parts = 1;  ///< of a block; positions are those of parts
    std::int64_t temp_slots = 0;  ///< blocks
    std::int64_t own_slot =
        -1;  ///< gather, scatter: the temp slot of this rank's own block; -1: user's buffer
    int straight = -1;  ///< the first step that has messages, where it receives one contribution,
                        ///< to the whole vector; -1: another kind
    bool reduces_here = false;  ///< some receive adds to the working buffer
    std::int64_t segment = 0;   ///< bytes, 0: whole messages

    // Where blocks have sizes of their own, steps are of letters instead of messages.
    std::vector<Letter> letters;
    std::vector<Hop> hops;
    Wire wire = Wire::packed;  ///< how sizes are told
    bool tells = false;        ///< every letter of every rank has a head, so that what heads carry
                               ///< reaches all with the data
    mutable Recalled recalled;
};

/// The contribution that plan.straight receives.
const Message& straight_contribution(const Plan& plan);

/// Makes rank's plan. `problem` is resolved; `schedule` is that of all ranks (renumbered already
/// where asked). `letters`: blocks have sizes of their own (gather, scatter, alltoallv).
Plan make_plan(const Algorithm& a, const Problem& problem, const Schedule& schedule, int rank,
               bool letters);

}  // namespace hopbine::mpi
