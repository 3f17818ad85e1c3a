#include "simulation/packets.hpp"

#include <algorithm>
#include <cmath>

#include "schedule/bounds.hpp"
#include "simulation/flows_known.hpp"

namespace hopbine::simulation {

namespace {

void validate(const PacketOptions& o) {
    if (o.trains < 1 || o.trains > PacketOptions::kMostTrains)
        throw Error("a message cannot have " + std::to_string(o.trains) + " trains at most; 1 to " +
                    std::to_string(PacketOptions::kMostTrains) + " can");
    if (!(o.packet >= 1)) throw Error("a packet has at least 1 byte");
    if (!(o.buffer >= 1)) throw Error("a buffer of links has at least 1 byte");
}

}  // namespace

Routing routing_named(const std::string& name) {
    if (name == "minimal") return Routing::minimal;
    if (name == "valiant") return Routing::valiant;
    if (name == "ugal") return Routing::ugal;
    throw Error("routing '" + shown(name) + "' is not one of minimal, valiant, ugal");
}

int train_count(double bytes, const PacketOptions& o) {
    // With four trains in a buffer a link is granted while the one before leaves it.
    const double fit = std::ceil(4 * bytes / o.buffer);
    if (fit > PacketOptions::kMostTrains)
        throw Error(
            "a message of " + std::to_string(std::llround(bytes)) + " bytes has more than " +
            std::to_string(PacketOptions::kMostTrains) + " trains of a quarter of a buffer of " +
            std::to_string(std::llround(o.buffer)) + " bytes; buffers can have " +
            std::to_string(std::llround(std::ceil(4 * bytes / PacketOptions::kMostTrains))) +
            " bytes or more here");
    return static_cast<int>(
        std::max(fit, std::clamp(std::ceil(bytes / o.packet), 1.0, double(o.trains))));
}

bool finite(const PacketOptions& o) { return o.buffer < std::numeric_limits<double>::infinity(); }

bool hosted(const Hosts& hosts, const PacketOptions& o) {
    return hosts.cards() > 1 || o.costs != MessageCosts{};
}

Packets::Packets(const Flows& flows)
    : Packets(flows, Hosts(flows.known()->at, 1, *flows.known()->topology)) {}

Packets::Packets(const Flows& flows, const Hosts& hosts) : known_(flows.known()), hosts_(hosts) {
    const Known& k = *known_;
    if (k.alone_suffices()) return;
    std::map<int, std::int64_t> times;
    for (int s = 0; s < k.program.steps_of_call(); ++s)
        times[k.program.pattern(s)] += k.program.calls();
    std::map<std::int64_t, Size> sizes;
    network::Route route;
    for (const auto& [pattern, messages] : k.messages)
        for (const Message& m : messages.all) {
            k.topology->route(k.at[static_cast<std::size_t>(m.from)],
                              k.at[static_cast<std::size_t>(m.to)], route);
            double hops = 0;
            for (const network::Hop& h : route.hops) hops += h.share;
            Size& size = sizes[m.parts];
            size.times += times[pattern];
            size.hops += times[pattern] * std::llround(hops);
        }
    for (auto& [parts, size] : sizes) {
        size.parts = parts;
        sizes_.push_back(size);
    }
}

double Packets::events(double bytes, const PacketOptions& options) const {
    validate(options);
    const double per_part = known_->program.part_bytes(bytes);
    double out = sizes_.empty() ? 0 : known_->program.lines();
    for (const Size& s : sizes_)
        out += static_cast<double>(s.times) +
               static_cast<double>(s.hops) *
                   train_count(per_part * static_cast<double>(s.parts), options);
    return out;
}

PacketOutcome Packets::run(double bytes, const Speeds& s, const PacketOptions& options) const {
    validate(options);
    const Known& k = *known_;
    // Detours and other traffic share links that the job's minimal routes do not. A buffer may be
    // too small for one message.
    const bool followed = options.routing != Routing::minimal || hosted(hosts_, options) ||
                          !options.background.none() || finite(options);
    if (k.alone_suffices() && !followed) {
        PacketOutcome out;
        static_cast<Outcome&>(out) = run_alone(k.program, k.alone, bytes, s, options.watched);
        return out;
    }
    const double expected = events(bytes, options) * (options.routing == Routing::minimal ? 1 : 2);
    if (expected > kMostEvents)
        throw Error("by packets this takes about " + std::to_string(std::llround(expected / 1e6)) +
                    " million events, more than " +
                    std::to_string(std::llround(kMostEvents / 1e6)) +
                    " million; fewer trains take fewer, other engines none");
    if (!k.alone_suffices()) return run_packets(k, hosts_, bytes, s, options);
    Known with = k;
    for (int step = 0; step < k.program.steps_of_call(); ++step)
        if (const int pattern = k.program.pattern(step); !with.messages.contains(pattern))
            with.messages.emplace(pattern, k.program.messages(step));
    return run_packets(with, hosts_, bytes, s, options);
}

}  // namespace hopbine::simulation
