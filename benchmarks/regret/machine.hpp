/// A machine that programs are played on: how long a call of an arm takes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hopbine::regret {

/// Which ranks may leave a call before others have come to it.
enum class Leaves { none, root, all_but_root };

/// The ranks that may leave early, for a collective by its name. The root is rank 0.
inline Leaves leaves(std::string_view collective) {
    if (collective == "bcast" || collective == "scatter") return Leaves::root;
    if (collective == "reduce" || collective == "gather") return Leaves::all_but_root;
    return Leaves::none;
}

/// What may serve calls of a kind: the MPI library (arm 0), or an algorithm.
struct Arm {
    std::string name;
    double
        modelled;  ///< seconds by the model of the choice; of the library the classic algorithm's
};

/// A kind of calls.
struct Kind {
    std::string collective;
    std::int64_t bytes;
    int guess;        ///< the arm that counting takes for the first calls
    double counting;  ///< seconds that a rank takes to count the candidates of the collective
    std::vector<Arm> arms;
};

/// Seconds of one call.
struct CallTimes {
    double whole;  ///< from the last rank's arrival until all have left
    double least;  ///< of the rank that spends least in it
};

/// What came before a call.
enum class Moment {
    opening,  ///< no algorithm has served on its communicator before; not of the library
    first,    ///< the arm has not served this kind on its communicator before
    loop,     ///< a call of the same kind on the same communicator
    apart,    ///< a call of another kind
};

/// A call to be timed.
struct Timed {
    int kind, arm;
    Moment moment;
    int position;     ///< in a loop: calls since another arm served
    std::int64_t at;  ///< calls of the kind before it; arms are alike at equal numbers
};

/// Times are the same whenever they are asked for: several policies are played on one machine.
class Machine {
public:
    virtual ~Machine() = default;
    virtual const std::vector<Kind>& kinds() const = 0;
    virtual CallTimes call(const Timed& call) const = 0;
    /// Seconds of the n-th agreement (an allreduce of few numbers) and barrier of the library.
    virtual double agreement(std::int64_t n) const = 0;
    virtual double barrier(std::int64_t n) const = 0;
    /// Whole seconds of such a call in the mean, without the latest calls: these are bad luck.
    virtual double mean(const Timed& call) const = 0;
    double mean(int kind, int arm, Moment moment) const {
        return mean({kind, arm, moment, kSettled, 0});
    }
    virtual double mean_agreement() const = 0;
    virtual double mean_barrier() const = 0;
    /// Whether ranks share cores.
    virtual bool crowded() const = 0;
    /// The MPI library's version, as it tells it, where something may be known of it: on one node.
    virtual std::string library() const { return ""; }
    /// Calls after which an arm in a loop is as fast as ever.
    static constexpr int kSettled = 8;
};

}  // namespace hopbine::regret
