#include "simulation/steps.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/walk.hpp"

namespace hopbine::simulation {

namespace {

/// Adds the link loads of a step's messages. Returns what the step has apart from them.
StepLoad route_step(const Program& p, const network::Topology& t, const std::vector<int>& at,
                    int step, std::vector<double>& load, std::vector<std::int64_t>* sent_by) {
    StepLoad out{step, 0, 0, 0, 0, -1, 0, 0};
    const Messages messages = p.messages(step);
    network::Route route;
    for (int l = 0; l < p.lines(); ++l) {
        for (int i = messages.first[static_cast<std::size_t>(l)];
             i < messages.first[static_cast<std::size_t>(l) + 1]; ++i) {
            const Message& m = messages.all[static_cast<std::size_t>(i)];
            t.route(at[static_cast<std::size_t>(m.from)], at[static_cast<std::size_t>(m.to)],
                    route);
            const auto parts = static_cast<double>(m.parts);
            for (const network::Hop& h : route.hops) {
                load[static_cast<std::size_t>(h.link)] +=
                    parts * h.share / t.links()[static_cast<std::size_t>(h.link)].capacity;
                out.hops += parts * h.share;
            }
            if (sent_by) (*sent_by)[static_cast<std::size_t>(l)] += m.parts;
            out.least = out.least == 0 ? m.parts : std::min(out.least, m.parts);
            out.cables = std::max(out.cables, route.cables);
            out.routers = std::max(out.routers, route.routers);
        }
    }
    return out;
}

}  // namespace

Loads step_loads(const Program& p, const network::Topology& t, const std::vector<int>& at) {
    validate(t, at, p.ranks());
    Loads out;
    std::vector<std::int64_t> all(static_cast<std::size_t>(p.lines()), 0), of_step(all);
    std::vector<double> load(t.links().size());
    for (const Pattern& now : patterns(p.steps_of_call(), [&](int t) { return p.pattern(t); })) {
        std::fill(load.begin(), load.end(), 0);
        std::fill(of_step.begin(), of_step.end(), 0);
        StepLoad step = route_step(p, t, at, now.step, load, &of_step);
        step.times = now.times;
        const auto most = std::max_element(load.begin(), load.end());
        if (most != load.end() && *most > 0)
            step.load = *most, step.link = static_cast<int>(most - load.begin());
        out.steps.push_back(step);
        for (std::size_t l = 0; l < all.size(); ++l) all[l] += now.times * of_step[l];
    }
    if (!all.empty()) out.busiest_line = *std::max_element(all.begin(), all.end());
    return out;
}

double step_time(const Loads& loads, const Program& p, const Speeds& s, double bytes) {
    double time = 0;
    const double second_per_part = p.part_bytes(bytes) / s.bandwidth;
    for (const StepLoad& l : loads.steps)
        time += static_cast<double>(l.times) *
                (l.cables * s.cable + l.routers * s.router + l.load * second_per_part);
    return time;
}

std::vector<double> link_loads(const Program& p, const network::Topology& t,
                               const std::vector<int>& at, int from, int to) {
    validate(t, at, p.ranks());
    const int steps = p.steps_of_call();
    if (from < 0 || to > steps || from > to)
        throw Error("steps " + std::to_string(from) + ".." + std::to_string(to - 1) +
                    " are outside 0.." + std::to_string(steps - 1));
    std::vector<std::int64_t> times(static_cast<std::size_t>(steps), 0);
    for (int s = from; s < to; ++s) ++times[static_cast<std::size_t>(p.pattern(s))];
    std::vector<double> load(t.links().size()), of_step(t.links().size());
    for (int s = 0; s < steps; ++s) {
        const auto n = static_cast<double>(times[static_cast<std::size_t>(s)]);
        if (n == 0) continue;
        std::fill(of_step.begin(), of_step.end(), 0);
        route_step(p, t, at, s, of_step, nullptr);
        for (std::size_t l = 0; l < load.size(); ++l) load[l] += n * of_step[l];
    }
    return load;
}

Deficiencies deficiencies(const Loads& loads, const Program& p, int ports, bool shared) {
    double link = 0;
    std::int64_t steps = 0;
    for (const StepLoad& l : loads.steps) {
        link += static_cast<double>(l.times) * l.load;
        if (l.least > 0) steps += l.times;
    }
    const auto port = static_cast<double>(loads.busiest_line);
    const double best = std::log2(p.ranks()),
                 n_over_d = static_cast<double>(p.parts()) / (ports / 2.0);
    return {best > 0 ? static_cast<double>(steps) / best : 1, port / n_over_d,
            shared && port > 0 ? link / port : 1};
}

}  // namespace hopbine::simulation
