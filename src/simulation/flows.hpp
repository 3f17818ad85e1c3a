/// The flow engine: messages are fluid flows that share links max-min fairly. Every line, a channel
/// of a rank, begins a step when its sends of the step before have left and its receives have
/// arrived. Ranks wait for each other only through messages.
#pragma once
#include <memory>

#include "simulation/network.hpp"

namespace hopbine::simulation {

/// One message from the view of a rank.
struct Event {
    bool sent;  ///< sent or received
    int channel, step, peer;
    double begin, end;  ///< seconds: start of the send; end of the send, or arrival
    double bytes;
};

struct Outcome {
    double seconds = 0;  ///< until the last rank has completed the last call
    double mean = 0;     ///< until a rank has completed it, mean over ranks
    bool shared = true;  ///< whether messages shared a link, so that rates were computed; otherwise
                         ///< times follow step by step
    std::int64_t messages = 0;   ///< simulated individually
    std::vector<Event> of_rank;  ///< of the watched rank
};

struct Known;
struct Loads;

/// Simulates a program on a network, for any size and speed.
class Flows {
public:
    Flows(const Program& p, network::TopologyPtr t, std::vector<int> at);
    /// With the loads of the steps (steps.hpp) where they are known.
    Flows(const Program& p, network::TopologyPtr t, std::vector<int> at, Loads loads);
    /// Simulates one size. `watched` is the rank whose messages are reported, -1 for none. Events
    /// within `resolution` times the mean step of the step model are processed together. Otherwise
    /// the rates on a link with many messages would be computed anew for each of them. Safe to call
    /// from several threads.
    Outcome run(double bytes, const Speeds& s, int watched = -1,
                double resolution = kResolution) const;
    /// Whether two messages may use a link at the same time.
    bool shared() const;
    /// What does not depend on the size, for other engines.
    const std::shared_ptr<const Known>& known() const { return known_; }
    static constexpr double kResolution = 1.0 / 256;

private:
    std::shared_ptr<const Known> known_;
};

}  // namespace hopbine::simulation
