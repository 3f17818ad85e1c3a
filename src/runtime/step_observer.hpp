/// What else happens around the steps of a plan: copies, data that arrives, a record of times.
#pragma once
#include <vector>

#include "runtime/plan.hpp"

namespace hopbine::mpi {

/// A step of a channel that runs.
struct ObservedStep {
    std::uint32_t channel;  ///< in Steps::channels
    std::uint32_t number;   ///< of the channel's steps, from 0
    const StepView& view;
};

/// Is told of every step of a plan. Each function returns an MPI error code; 0 is none. Steps of
/// one channel follow one another, those of several may be under way at once.
class StepObserver {
public:
    virtual ~StepObserver() = default;
    /// Called before the step's messages are posted.
    virtual int before(const ObservedStep&) { return 0; }
    /// Called when they have been posted.
    virtual int in_flight(const ObservedStep&) { return 0; }
    /// Called when they have completed, and what was received is in its place.
    virtual int after(const ObservedStep&) { return 0; }
};

/// In the order in which they are told.
using StepObservers = std::vector<StepObserver*>;

/// A step in the order in which a channel runs them.
struct StepCursor {
    std::uint32_t kept = 0;    ///< in Channel::steps
    std::uint32_t turn = 0;    ///< of the steps that this one stands for
    std::uint32_t number = 0;  ///< of all steps

    bool over(const Channel& channel) const { return kept == channel.steps.size(); }
    const ChannelStep& of(const Channel& channel) const { return channel.steps[kept]; }
    void next(const Channel& channel) {
        ++number;
        if (++turn < channel.steps[kept].times) return;
        turn = 0;
        ++kept;
    }
};

/// f(step) for all steps of a plan: the first of each channel, then the second of each.
template <class F>
void each_step(const Steps& plan, StepScratch& scratch, const F& f) {
    std::vector<StepCursor> at(plan.channels.size());
    for (bool any = true; any;) {
        any = false;
        for (std::uint32_t c = 0; c < at.size(); ++c) {
            const Channel& channel = plan.channels[c];
            if (at[c].over(channel)) continue;
            f(ObservedStep{c, at[c].number, plan.view(at[c].of(channel), at[c].turn, scratch)});
            at[c].next(channel);
            any = true;
        }
    }
}

}  // namespace hopbine::mpi
