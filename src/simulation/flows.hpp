/// The flow engine: messages are fluids that share links max-min fairly; each line (a rank's
/// channel) begins a step when its own sends of the step before have left and what it receives in
/// it has arrived. No rank waits for others but through messages.
#pragma once
#include <memory>

#include "simulation/network.hpp"

namespace hopbine::simulation {

/// One message as a rank sees it.
struct Event {
    bool sent;  ///< or received
    int channel, step, peer;
    double begin, end;  ///< seconds: when its sender began it; when it had left, or had arrived
    double bytes;
};

struct Outcome {
    double seconds = 0;
    bool shared = true;  ///< some link was shared, so that rates had to be found; false: times
                         ///< follow step by step
    std::int64_t messages = 0;   ///< that were followed one by one
    std::vector<Event> of_rank;  ///< of the rank that was asked for
};

/// Follows a program on a network, for any size and speed.
class Flows {
public:
    Flows(const Program& p, network::TopologyPtr t, std::vector<int> at);
    ~Flows();
    /// `watched`: the rank whose messages are told; -1: none. Events closer than `resolution` times
    /// the mean step of the step model are taken together: links that many messages share would
    /// otherwise be shared anew with each of them. Safe to call from several threads.
    Outcome run(double bytes, const Speeds& s, int watched = -1,
                double resolution = kResolution) const;
    /// May two messages be on a link at the same time?
    bool shared() const;
    static constexpr double kResolution = 1.0 / 256;

private:
    struct Known;
    std::unique_ptr<Known> known_;
};

}  // namespace hopbine::simulation
