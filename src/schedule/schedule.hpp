/// Schedules: what each rank sends and receives in each step.
///
/// An algorithm is a pure function (problem, rank, step) -> moves. The check, the count, the
/// export, the drawings and the MPI executor only read it.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "schedule/block_set.hpp"
#include "schedule/traits.hpp"

namespace hopbine {

enum class Direction : std::uint8_t { send, recv };
/// What the receiver does with a value: copy it, or reduce it with its own.
/// In a reduction the value of the lower rank is the left operand.
enum class Op : std::uint8_t { copy, reduce };

/// One send or receive: the blocks exchanged with a peer, in one step and on one channel.
struct Move {
    Direction direction;
    Op op;
    int peer;
    BlockSet blocks;
    int channel = 0;
};

/// Moves of one rank that are in flight together. Sends carry the values at the start of the step.
/// Received contributions are reduced in ascending order of rank (schedule/reduction_order.hpp).
using Step = std::vector<Move>;

/// Sends and receives of every rank in every step, with the traits of the whole.
class Schedule {
public:
    explicit Schedule(Traits traits = {}) : traits_(std::move(traits)) {}
    virtual ~Schedule() = default;
    /// Number of steps, equal on all ranks; a rank may be idle in a step.
    virtual int steps() const = 0;
    /// Appends the moves of `rank` in step `s` to `out`. Pure; never appends an empty move. Every
    /// send matches a receive of the peer in the same step, with the same op, channel and blocks.
    virtual void moves(int rank, int s, Step& out) const = 0;
    const Traits& traits() const { return traits_; }

private:
    Traits traits_;
};

using SchedulePtr = std::shared_ptr<const Schedule>;

/// Traits that the members of a combinator share. Parts, channels, wire and layout must agree; the
/// period is the least common one; `mirrored` holds if it does for all. Throws Error as require_fit
/// does.
Traits common_traits(const char* combinator, const std::vector<SchedulePtr>& members);
/// Traits::barriers of members that run at the same time: a barrier wherever a member has one.
std::function<bool(int step)> barriers_of_any(std::vector<SchedulePtr> members);
/// Traits::classes in which steps with equal keys are equivalent.
std::function<int(int step)> classes_by_key(int steps,
                                            const std::function<std::vector<int>(int step)>& key);

}  // namespace hopbine
