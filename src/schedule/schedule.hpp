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

/// Values of a block that a rank has. All collectives but prefix sums use `result` alone.
enum class Source : std::uint8_t {
    result,  ///< what the collective ends with
    kept,    ///< a contribution as it arrived, to be sent on (Move::keeps)
    own,     ///< exscan: the rank's contribution, which its result does not hold
};
inline constexpr int kSources = 3;

/// One send or receive: the blocks exchanged with a peer, in one step and on one channel.
struct Move {
    Direction direction;
    Op op;
    int peer;
    BlockSet blocks;
    int channel = 0;
    Source source = Source::result;  ///< of a send: the value that is sent
    bool keeps = false;  ///< of a receive that reduces: the contribution is kept as well
};

/// Number of messages of a move.
inline std::int64_t messages_of(const Move& m, Wire wire) {
    return wire == Wire::per_run ? static_cast<std::int64_t>(m.blocks.runs().size()) : 1;
}

/// Moves of one rank that are in flight together. Sends carry the values at the start of the step.
/// Received contributions are reduced in ascending order of rank (schedule/reduction_order.hpp).
using Step = std::vector<Move>;

/// What a move counts as: a number of blocks, and of messages.
struct MoveSize {
    Direction direction;
    Op op;
    int peer;
    std::int64_t blocks;
    std::int64_t messages = 1;
    bool operator==(const MoveSize&) const = default;
};
using MoveSizes = std::vector<MoveSize>;

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
    /// Appends the sizes of the moves of `rank` in step `s`, in their order. Where only numbers
    /// are of interest: most schedules know them without making block sets.
    void sizes(int rank, int s, MoveSizes& out) const { sizes(rank, s, traits_.wire, out); }
    /// Appends the sizes of the moves as another wire format has them.
    void sizes(int rank, int s, Wire wire, MoveSizes& out) const;
    /// Appends the sums of the sizes over all steps by peer, who may occur several times. False:
    /// the schedule does not know them but by its steps, and nothing is appended.
    bool totals(int rank, MoveSizes& out) const;
    /// Appends the number of blocks that each move of `rank` in step `s` has in common with `some`,
    /// in the order of the moves. By default the moves are made.
    virtual void common(int rank, int s, const BlockSet& some,
                        std::vector<std::int64_t>& out) const;

protected:
    /// `sizes` for wires with one message for a move. By default the moves are made.
    virtual void count(int rank, int s, MoveSizes& out) const;
    /// `sizes` for the wire with one message for a run. By default the moves are made.
    virtual void count_runs(int rank, int s, MoveSizes& out) const;
    /// `totals` for wires with one message for a move.
    virtual bool count_all(int, MoveSizes&) const { return false; }

private:
    void count_moves(int rank, int s, Wire wire, MoveSizes& out) const;
    Traits traits_;
};

/// Turns around the sizes from index `from` on, as in the time reversal of their schedule.
void reverse(MoveSizes& all, std::size_t from, Op op);

using SchedulePtr = std::shared_ptr<const Schedule>;

/// Traits that the members of a combinator share. Parts, channels, wire and layout must agree; the
/// period is the least common one; `mirrored` holds if it does for all. Throws Error as require_fit
/// does.
Traits common_traits(const char* combinator, const std::vector<SchedulePtr>& members);
/// Schedule::totals of members together. False: a member does not know them.
bool totals_of_all(const std::vector<SchedulePtr>& members, int rank, MoveSizes& out);
/// Traits::barriers of members that run at the same time: a barrier wherever a member has one.
std::function<bool(int step)> barriers_of_any(std::vector<SchedulePtr> members);
/// Traits::classes in which steps with equal keys are equivalent.
std::function<int(int step)> classes_by_key(int steps,
                                            const std::function<std::vector<int>(int step)>& key);

}  // namespace hopbine
