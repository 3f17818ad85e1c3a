#include <algorithm>
#include <cmath>
#include <numeric>

#include "simulation/flows_known.hpp"

namespace hopbine::simulation {

namespace {

/// Synchronises the lines of every rank.
void gather(std::vector<double>& ready, int channels) {
    for (std::size_t first = 0; first < ready.size(); first += static_cast<std::size_t>(channels)) {
        const auto begin = ready.begin() + static_cast<std::ptrdiff_t>(first);
        std::fill_n(begin, channels, *std::max_element(begin, begin + channels));
    }
}

/// The delay of all lines if it is the same for all, else -1.
double equal_delay(const std::vector<double>& before, const std::vector<double>& after) {
    const double delay = after.front() - before.front();
    for (std::size_t l = 0; l < before.size(); ++l)
        if (std::abs(after[l] - before[l] - delay) > 1e-12 * after[l]) return -1;
    return delay;
}

}  // namespace

Outcome run_alone(const Program& p, const std::map<int, std::vector<Alone>>& alone, double bytes,
                  const Speeds& s, int watched) {
    Outcome out;
    out.shared = false;
    const double per_part = p.part_bytes(bytes);
    std::vector<double> ready(static_cast<std::size_t>(p.lines()), 0.0), next = ready;
    for (int step = 0; step < p.steps(); ++step) {
        if (step > 0 && p.phase(step) != p.phase(step - 1)) gather(ready, p.channels());
        next = ready;
        const std::vector<Alone>& messages = alone.at(p.pattern(step));
        for (const Alone& m : messages) {
            const double size = per_part * static_cast<double>(m.parts),
                         begin = ready[static_cast<std::size_t>(m.from)];
            const double left = begin + (m.capacity > 0 ? size / (m.capacity * s.bandwidth) : 0);
            const double arrived = left + m.cables * s.cable + m.routers * s.router;
            next[static_cast<std::size_t>(m.from)] =
                std::max(next[static_cast<std::size_t>(m.from)], left);
            next[static_cast<std::size_t>(m.to)] =
                std::max(next[static_cast<std::size_t>(m.to)], arrived);
            const int from = m.from / p.channels(), to = m.to / p.channels(),
                      channel = m.from % p.channels();
            if (from == watched)
                out.of_rank.push_back({true, channel, step, to, begin, left, size});
            if (to == watched)
                out.of_rank.push_back({false, channel, step, from, begin, arrived, size});
        }
        out.messages += static_cast<std::int64_t>(messages.size());
        // A common delay of all lines is the same in all equivalent steps that follow. Ring and
        // bucket need one step of many.
        if (watched < 0)
            if (const double delay = equal_delay(ready, next); delay >= 0)
                for (; step + 1 < p.steps() && p.pattern(step + 1) == p.pattern(step) &&
                       p.phase(step + 1) == p.phase(step);
                     ++step)
                    for (double& t : next) t += delay;
        std::swap(ready, next);
    }
    if (ready.empty()) return out;
    out.seconds = *std::max_element(ready.begin(), ready.end());
    gather(ready, p.channels());
    out.mean = std::accumulate(ready.begin(), ready.end(), 0.0) / static_cast<double>(ready.size());
    return out;
}

}  // namespace hopbine::simulation
