/// The links of the packet engine with what queues for them, and how trains choose among them.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "simulation/credits.hpp"
#include "simulation/network.hpp"
#include "simulation/paths.hpp"

namespace hopbine::simulation {

/// A link serves trains in the order in which they are granted, each for its bytes over the link's
/// bandwidth. A train passes at the speed of one cable, so that on a bundle of k cables one begins
/// every kth of that time. `kFinite`: a link is granted to trains that find space behind it.
template <bool kFinite>
class Queues {
public:
    using Ticks = std::int64_t;
    struct alignas(32) Link {
        Ticks free, busy;  ///< when its queue is empty; how long it has sent in all
        double slowness;   ///< 1 / capacity
        Ticks latency;     ///< of its cable and the router behind
    };

    /// `ticks`: in a second; `buffer`: bytes of a buffer, where they are finite.
    Queues(const network::Topology& t, const Speeds& s, double ticks, double buffer)
        : leave_by_router_(t.switches() > 0) {
        for (const network::Link& l : t.links()) {
            links_.push_back(
                {0, 0, 1 / l.capacity, std::llround((l.cable * s.cable + s.router) * ticks)});
            slow_ |= l.capacity < 1;
        }
        if constexpr (kFinite)
            credits_.emplace(t, std::llround(buffer / s.bandwidth * ticks), s.cable * ticks);
    }

    const std::vector<Link>& links() const { return links_; }
    Link& link(const Stop& s) { return links_[static_cast<std::size_t>(s.link)]; }
    Credits& credits() { return *credits_; }
    const Credits& credits() const { return *credits_; }
    void prefetch(const Stop& s) const {
        __builtin_prefetch(&links_[static_cast<std::size_t>(s.link)]);
    }
    /// How long a train takes from a link that it takes `train` of, if that has capacity 1.
    static Ticks sending(const Link& l, Ticks train) {
        return l.slowness == 1 ? train
                               : static_cast<Ticks>(static_cast<double>(train) * l.slowness + 0.5);
    }

    /// How much later than its head a train asks for a link, if the link before was slower than a
    /// cable: the tail arrives when the link has sent the rest.
    Ticks delay(const Stop* stops, std::uint16_t next, Ticks train, Ticks passing) {
        if (!slow_) return 0;
        Ticks fastest = passing;
        for (; next != Stop::kNone; next = stops[next].other)
            fastest = std::min(fastest, std::max(train, sending(link(stops[next]), train)));
        return passing - fastest;
    }

    /// The stop at a vertex with the shortest queues, those of its link and of the next one; one of
    /// them at random if several have.
    std::uint16_t choose(const Stop* stops, std::uint16_t at, Ticks now, std::mt19937_64& random) {
        std::uint16_t best = at;
        Ticks least = -1;
        unsigned ties = 0;
        for (; at != Stop::kNone; at = stops[at].other) {
            const Stop& s = stops[at];
            Ticks queue = wait(s, now);
            if (s.next != Stop::kNone) queue += wait(stops[s.next], now);
            if (least < 0 || queue < least)
                best = at, least = queue, ties = 1;
            else if (queue == least && random() % ++ties == 0)
                best = at;
        }
        return best;
    }

    /// The shortest wait at the first router of a route and the next one, times its links (UGAL).
    Ticks cost(const Stop* stops, std::uint16_t first, Ticks now) {
        std::uint16_t at = first;
        if (leave_by_router_) {  // a link of the node leads to the router
            now += link(stops[first]).latency;
            at = stops[first].next;
        }
        Ticks least = -1, links = 0;
        for (std::uint16_t i = at; i != Stop::kNone; i = stops[i].other)
            if (const Ticks wait = wait_from(stops, i, now); least < 0 || wait < least)
                least = wait, at = i;
        for (std::uint16_t i = at; i != Stop::kNone; i = stops[i].next) ++links;
        return least * links;
    }

private:
    /// What a train that comes to a stop at a time waits there, if none comes before it.
    Ticks wait(const Stop& s, Ticks when) {
        const Link& l = link(s);
        Ticks out = std::max<Ticks>(0, l.free - when);
        if constexpr (kFinite) out += sending(l, credits_->waiting(s.link));
        return out;
    }
    /// There and at the next stop.
    Ticks wait_from(const Stop* stops, std::uint16_t at, Ticks when) {
        const Stop& s = stops[at];
        const Ticks here = wait(s, when);
        when += here + link(s).latency;
        return s.next == Stop::kNone ? here : here + wait(stops[s.next], when);
    }

    bool leave_by_router_;
    bool slow_ = false;  ///< whether a link is slower than a cable
    std::vector<Link> links_;
    std::optional<Credits> credits_;
};

}  // namespace hopbine::simulation
