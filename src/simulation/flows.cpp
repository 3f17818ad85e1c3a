#include "simulation/flows.hpp"

#include <algorithm>
#include <set>

#include "simulation/flows_known.hpp"

namespace hopbine::simulation {

namespace {

/// Finds links that two messages may use at the same time. Messages of one line are sequential, as
/// are those of one rank in different phases; any others may overlap.
class Exclusive {
public:
    Exclusive(std::size_t links, int channels)
        : channels_(channels), user_(links, -1), phase_(links, -1), step_(links, -1) {}
    /// Adds a message of a line in a step of a phase, on these links. Returns false if a link is
    /// shared.
    bool use(const network::Route& route, int rank, int line, int phase, int step) {
        for (const network::Hop& h : route.hops) {
            const auto l = static_cast<std::size_t>(h.link);
            const bool free = user_[l] < 0;
            if (!free &&
                (user_[l] / channels_ != rank || (user_[l] != line && phase_[l] == phase) ||
                 (user_[l] == line && step_[l] == step)))
                return false;
            user_[l] = line;
            phase_[l] = phase;
            step_[l] = step;
        }
        return true;
    }

private:
    int channels_;
    std::vector<int> user_, phase_, step_;
};

}  // namespace

Flows::Flows(const Program& p, network::TopologyPtr t, std::vector<int> at)
    : Flows(p, t, at, step_loads(p, *t, at)) {}

Flows::Flows(const Program& p, network::TopologyPtr t, std::vector<int> at, Loads loads) {
    const std::shared_ptr<Known> known(
        new Known{p, std::move(t), std::move(at), std::move(loads), false, false, {}, {}});
    known_ = known;
    Known& k = *known;
    Exclusive links(k.topology->links().size(), p.channels());
    std::set<std::pair<int, int>> seen;  // phase and pattern
    network::Route route;
    // What a call does beside the one before, the next does beside that.
    const int steps = std::min(p.steps(), 2 * p.steps_of_call());
    for (int s = 0; s < steps && !k.shared; ++s) {
        if (!seen.insert({p.phase(s), p.pattern(s)}).second) continue;
        const bool again = k.alone.contains(p.pattern(s));
        std::vector<Alone>& alone = k.alone[p.pattern(s)];
        const Messages messages = p.messages(s);
        for (const Message& m : messages.all) {
            k.topology->route(k.at[static_cast<std::size_t>(m.from)],
                              k.at[static_cast<std::size_t>(m.to)], route);
            const int line = m.from * p.channels() + m.channel;
            if (!links.use(route, m.from, line, p.phase(s), s)) {
                k.shared = true;
                break;
            }
            if (again) continue;
            double capacity = 0;
            for (const network::Hop& h : route.hops) {
                k.split |= h.share < 1;
                const double here =
                    k.topology->links()[static_cast<std::size_t>(h.link)].capacity / h.share;
                capacity = capacity == 0 ? here : std::min(capacity, here);
            }
            k.split |= capacity > 1;
            alone.push_back({line, m.to * p.channels() + m.channel, m.parts, capacity, route.cables,
                             route.routers});
        }
    }
    if (k.alone_suffices()) return;
    if (k.shared) k.alone.clear();
    for (int s = 0; s < p.steps_of_call(); ++s)
        if (!k.messages.contains(p.pattern(s))) k.messages.emplace(p.pattern(s), p.messages(s));
}

bool Flows::shared() const { return known_->shared; }

Outcome Flows::run(double bytes, const Speeds& s, int watched, double resolution) const {
    const Known& k = *known_;
    if (!k.shared) return run_alone(k.program, k.alone, bytes, s, watched);
    const double window =
        k.loads.steps.empty()
            ? 0
            : resolution * step_time(k.loads, k.program, s, bytes) / k.program.steps();
    return run_shared(k.program, k.messages, *k.topology, k.at, bytes, s, watched, window);
}

}  // namespace hopbine::simulation
