/// Queues of links, by which trains of packets choose their ways.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "simulation/paths.hpp"

namespace hopbine::simulation {

/// Time of the packet engine.
using Ticks = std::int64_t;

/// Links that serve trains in the order in which they ask.
class Queues {
public:
    struct Link {
        Ticks free, busy;  ///< when its queue is empty; how long it has sent in all
        double slowness;   ///< 1 / capacity
        Ticks latency;     ///< of its cable and the router behind
    };
    void add(const Link& l) { links_.push_back(l); }
    const std::vector<Link>& all() const { return links_; }
    Link& at(const Stop& s) { return links_[static_cast<std::size_t>(s.link)]; }

    /// The stop at a vertex with the shortest queues, those of its link and of the next one; one of
    /// them at random if several have.
    std::uint16_t choose(const Stop* stops, std::uint16_t at, Ticks now, std::mt19937_64& random) {
        std::uint16_t best = at;
        Ticks least = -1;
        unsigned ties = 0;
        for (; at != Stop::kNone; at = stops[at].other) {
            const Stop& s = stops[at];
            Ticks queue = left(s, now);
            if (s.next != Stop::kNone) queue += left(stops[s.next], now);
            if (least < 0 || queue < least)
                best = at, least = queue, ties = 1;
            else if (queue == least && random() % ++ties == 0)
                best = at;
        }
        return best;
    }

    /// The shortest wait at the first router of a route and the next one, times its links.
    /// `nodes`: a link of the node leads to the router.
    Ticks cost(const Stop* stops, std::uint16_t first, Ticks now, bool nodes) {
        std::uint16_t from = first;
        if (nodes) {
            now += at(stops[first]).latency;
            from = stops[first].next;
        }
        Ticks least = -1, links = 0;
        for (std::uint16_t i = from; i != Stop::kNone; i = stops[i].other)
            if (const Ticks wait = wait_from(stops, i, now); least < 0 || wait < least)
                least = wait, from = i;
        for (std::uint16_t i = from; i != Stop::kNone; i = stops[i].next) ++links;
        return least * links;
    }

private:
    /// How long a link's queue still is.
    Ticks left(const Stop& s, Ticks now) { return std::max<Ticks>(0, at(s).free - now); }

    /// What a train that comes to a stop at a time waits there and at the next one, if none comes
    /// before it.
    Ticks wait_from(const Stop* stops, std::uint16_t stop, Ticks when) {
        const Stop& s = stops[stop];
        const Ticks here = left(s, when);
        when += here + at(s).latency;
        return s.next == Stop::kNone ? here : here + left(stops[s.next], when);
    }

    std::vector<Link> links_;
};

}  // namespace hopbine::simulation
