/// The one data structure: what each rank sends and receives in each step.
///
/// An algorithm is a pure function (problem, rank, step) -> moves. check, count, export, draw and
/// the MPI executor only read it.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "schedule/block_set.hpp"
#include "schedule/traits.hpp"

namespace hopbine {

enum class Direction : std::uint8_t { send, recv };
/// What the receiver does: take the sender's value, or add it to its own.
/// When order matters the value of the lower rank is the left operand.
enum class Op : std::uint8_t { copy, reduce };

/// In one step, on one channel, this rank sends blocks to a peer or receives them from it.
struct Move {
    Direction direction;
    Op op;
    int peer;
    BlockSet blocks;
    int channel = 0;
};

/// Moves of one rank that are in flight together. Sends carry the values at the start of the step;
/// what is received to be added is joined from the lowest rank up (schedule/reduction_order.hpp).
using Step = std::vector<Move>;

/// What each rank sends and receives in each step, and what is true of that as a whole.
class Schedule {
public:
    explicit Schedule(Traits traits = {}) : traits_(std::move(traits)) {}
    virtual ~Schedule() = default;
    /// Number of steps, equal on all ranks; a rank may be idle in a step.
    virtual int steps() const = 0;
    /// Appends the moves of `rank` in step `s` to `out`. Pure; never appends an empty move.
    /// A send in step s is met by the peer's receive in step s with the same mode, channel and
    /// blocks.
    virtual void moves(int rank, int s, Step& out) const = 0;
    const Traits& traits() const { return traits_; }

private:
    Traits traits_;
};

using SchedulePtr = std::shared_ptr<const Schedule>;

/// What the members of a combinator have in common: parts, channels, wire and layout, in which they
/// must agree, the least common period, and mirrored where all are. Throws Error as require_fit.
Traits common_traits(const char* combinator, const std::vector<SchedulePtr>& members);
/// Traits::barriers of members that take their steps at the same time: where one of them has one.
std::function<bool(int step)> barriers_of_any(std::vector<SchedulePtr> members);
/// Traits::classes of steps that are equal where their keys are.
std::function<int(int step)> classes_by_key(int steps,
                                            const std::function<std::vector<int>(int step)>& key);

}  // namespace hopbine
