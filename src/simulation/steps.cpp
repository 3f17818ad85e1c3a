#include "simulation/steps.hpp"

#include <algorithm>
#include <cmath>

namespace hopbine::simulation {

namespace {

/// Adds what a step's messages put on links; returns what is known of the step without the loads.
StepLoad route_step(const Program& p, const network::Topology& t, const std::vector<int>& at, int step, std::vector<double>& load) {
    StepLoad out{step, 0, 0, 0, 0, -1, 0, 0, 0};
    const Messages messages = p.messages(step);
    network::Route route;
    for (int l = 0; l < p.lines(); ++l) {
        std::int64_t sent = 0;
        for (int i = messages.first[static_cast<std::size_t>(l)]; i < messages.first[static_cast<std::size_t>(l) + 1]; ++i) {
            const Message& m = messages.all[static_cast<std::size_t>(i)];
            t.route(at[static_cast<std::size_t>(m.from)], at[static_cast<std::size_t>(m.to)], route);
            const auto parts = static_cast<double>(m.parts);
            for (const network::Hop& h : route.hops) {
                load[static_cast<std::size_t>(h.link)] += parts * h.share / t.links()[static_cast<std::size_t>(h.link)].capacity;
                out.hops += parts * h.share;
            }
            sent += m.parts;
            out.least = out.least == 0 ? m.parts : std::min(out.least, m.parts);
            out.cables = std::max(out.cables, route.cables);
            out.routers = std::max(out.routers, route.routers);
        }
        out.line = std::max(out.line, sent);
    }
    return out;
}

}  // namespace

std::vector<StepLoad> step_loads(const Program& p, const network::Topology& t, const std::vector<int>& at) {
    validate(t, at, p.ranks());
    std::vector<StepLoad> out;
    std::vector<int> known(static_cast<std::size_t>(p.steps()), -1);
    std::vector<double> load(t.links().size());
    for (int s = 0; s < p.steps(); ++s) {
        int& k = known[static_cast<std::size_t>(p.pattern(s))];
        if (k < 0) {
            k = static_cast<int>(out.size());
            std::fill(load.begin(), load.end(), 0);
            out.push_back(route_step(p, t, at, s, load));
            const auto most = std::max_element(load.begin(), load.end());
            if (most != load.end() && *most > 0) out.back().load = *most, out.back().link = static_cast<int>(most - load.begin());
        }
        ++out[static_cast<std::size_t>(k)].times;
    }
    return out;
}

double step_time(const std::vector<StepLoad>& loads, const Program& p, const Speeds& s, double bytes) {
    double time = 0;
    const double second_per_part = bytes / static_cast<double>(p.parts()) / s.bandwidth;
    for (const StepLoad& l : loads) time += static_cast<double>(l.times) * (l.cables * s.cable + l.routers * s.router + l.load * second_per_part);
    return time;
}

std::vector<double> link_loads(const Program& p, const network::Topology& t, const std::vector<int>& at, int from, int to) {
    validate(t, at, p.ranks());
    if (from < 0 || to > p.steps() || from > to)
        throw Error("steps " + std::to_string(from) + ".." + std::to_string(to - 1) + " are outside 0.." + std::to_string(p.steps() - 1));
    std::vector<std::int64_t> times(static_cast<std::size_t>(p.steps()), 0);
    for (int s = from; s < to; ++s) ++times[static_cast<std::size_t>(p.pattern(s))];
    std::vector<double> load(t.links().size()), of_step(t.links().size());
    for (int s = 0; s < p.steps(); ++s) {
        const auto n = static_cast<double>(times[static_cast<std::size_t>(s)]);
        if (n == 0) continue;
        std::fill(of_step.begin(), of_step.end(), 0);
        route_step(p, t, at, s, of_step);
        for (std::size_t l = 0; l < load.size(); ++l) load[l] += n * of_step[l];
    }
    return load;
}

Deficiencies deficiencies(const std::vector<StepLoad>& loads, const Program& p, int ports) {
    double port = 0, link = 0;
    std::int64_t steps = 0;
    for (const StepLoad& l : loads) {
        const auto times = static_cast<double>(l.times);
        port += times * static_cast<double>(l.line);
        link += times * l.load;
        if (l.line > 0) steps += l.times;
    }
    const double best = std::log2(p.ranks()), n_over_d = static_cast<double>(p.parts()) / (ports / 2.0);
    return {best > 0 ? static_cast<double>(steps) / best : 1, port / n_over_d, port > 0 ? link / port : 1};
}

}  // namespace hopbine::simulation
