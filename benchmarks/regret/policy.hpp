/// What chooses the arm of every call: one object for each rank of a played program.
#pragma once
#include <functional>
#include <memory>
#include <span>

#include "regret/drawn_programs.hpp"
#include "regret/machine.hpp"

namespace hopbine::regret {

/// What a rank may do in a call, beside the call itself. All ranks of the call's communicator must
/// do the same.
class Port {
public:
    virtual ~Port() = default;
    /// Replaces each number by its maximum over the ranks.
    virtual void maxima(std::span<double> numbers) = 0;
    virtual void barrier() = 0;
    /// Seconds of this rank's own clock, which begins anywhere.
    virtual double clock() = 0;
    /// Lets seconds pass on this rank, for work of the choice that is not played.
    virtual void work(double seconds) = 0;
};

class Policy {
public:
    virtual ~Policy() = default;
    /// The arm that serves a call.
    virtual int begin(const Event& call, Port& port) = 0;
    /// Follows the call.
    virtual void end(const Event& call, Port& port) = 0;
    /// A communicator is no more.
    virtual void freed(int /*communicator*/) {}
};

/// The machine of a program: where it changes, `after` comes after `before`. Both have the same
/// kinds and arms.
struct Stage {
    const Machine& before;
    const Machine& after;
    const Machine& of(const Event& e) const { return e.changed ? after : before; }
};

/// Makes the policy of one rank. The kinds may be looked at, times only by one that knows
/// everything beforehand.
using MakePolicy = std::function<std::unique_ptr<Policy>(const Stage& stage, int rank)>;

}  // namespace hopbine::regret
