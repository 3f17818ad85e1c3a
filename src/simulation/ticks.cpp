#include <algorithm>

#include "simulation/flows_known.hpp"

namespace hopbine::simulation {

namespace {

/// How much longer other traffic makes a job take at most.
constexpr double kCongested = 64;

/// What all messages cost besides their links, one after the other.
double costs_of_all(const Known& k, double bytes, const MessageCosts& c) {
    double out = static_cast<double>(k.program.permutation().runs) * c.block + bytes * c.copy;
    for (int step = 0; step < k.program.steps_of_call(); ++step)
        for (const Message& m : k.messages.at(k.program.pattern(step)).all)
            out += m.runs * (c.send + c.receive) + 3 * c.latency + c.inside_latency +
                   2 * m.runs * c.block +
                   k.program.part_bytes(bytes) * static_cast<double>(m.parts) *
                       (c.inside + c.unexpected + c.reduce + 2 * c.copy);
    return out;
}

}  // namespace

double tick_rate(const Known& k, double bytes, const Speeds& s, const PacketOptions& o) {
    double narrowest = 1, longest = 0;
    for (const network::Link& l : k.topology->links()) narrowest = std::min(narrowest, l.capacity);
    const double part = k.program.part_bytes(bytes) / (s.bandwidth * narrowest);
    for (const StepLoad& l : k.loads.steps)
        longest +=
            static_cast<double>(l.times) *
            (l.hops * part + k.program.lines() * (l.cables * s.cable + l.routers * s.router));
    if (o.costs != MessageCosts{}) longest += costs_of_all(k, bytes, o.costs);
    longest *= k.program.calls();
    if (const OtherCalls* calls = o.background.calls.get())
        longest += 2 * calls->period + calls->bytes * calls->program.lines() *
                                           calls->program.steps_of_call() /
                                           (s.bandwidth * narrowest);
    if (!o.background.none()) longest *= kCongested;
    // A train of a quarter of a buffer waits until the news of one before it has come back.
    if (finite(o)) longest *= o.trains + 1 + 4 * s.bandwidth * (2 * s.cable + s.router) / o.buffer;
    return longest > 0 ? std::min(1e12, 0x1p61 / longest) : 1e12;
}

}  // namespace hopbine::simulation
