#include "simulation/paths.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "schedule/problem.hpp"

namespace hopbine::simulation {

namespace {

std::size_t size_class(std::size_t size) {
    return static_cast<std::size_t>(std::bit_width(size - 1));
}

}  // namespace

Paths::Paths(const network::Topology& t, bool channelled)
    : links_(t.links()), channelled_(channelled) {
    if (!channelled) return;
    for (const network::Link& l : links_) orders_.push_back(l.order);
}

std::uint32_t Paths::add(const std::vector<network::Hop>& route,
                         const std::vector<network::Hop>& there,
                         const std::vector<network::Hop>& on) {
    const std::size_t size = route.size() + there.size() + on.size();
    if (size > kMost)
        throw Error("a route has " + std::to_string(size) +
                    " links; packets are simulated on routes of at most " + std::to_string(kMost));
    auto& unused = unused_[size_class(size)];
    if (unused.empty()) {
        unused.push_back(static_cast<std::uint32_t>(stops_.size()));
        stops_.resize(stops_.size() + (std::size_t{1} << size_class(size)));
    }
    const std::uint32_t place = unused.back();
    unused.pop_back();
    Stop* const stops = &stops_[place];
    const std::size_t turn = route.size() + there.size();
    leg(route, stops, 0, Stop::kNone);
    leg(there, stops, route.size(), static_cast<std::uint16_t>(turn));
    leg(on, stops, turn, Stop::kNone);
    if (channelled_) number_channels(place, size);
    return place;
}

/// The lowest channels that satisfy what `channel` says. Ways that meet agree on the highest.
void Paths::number_channels(std::uint32_t place, std::size_t size) {
    channels_.resize(stops_.size());
    const Stop* const stops = &stops_[place];
    std::uint16_t* const channels = &channels_[place];
    std::fill(channels, channels + size, std::uint16_t{0});
    const auto order = [&](const Stop& s) { return orders_[static_cast<std::size_t>(s.link)]; };
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < size; ++i)
            for (std::uint16_t n = stops[i].next; n != Stop::kNone; n = stops[n].other) {
                const int least = channels[i] + (order(stops[n]) <= order(stops[i]));
                if (channels[n] >= least) continue;
                channels[n] = static_cast<std::uint16_t>(least);
                again |= n < i;  // those behind are still to come
            }
    }
}

/// Stops of a leg, from number `first` on; behind the last one comes `end`.
void Paths::leg(const std::vector<network::Hop>& hops, Stop* stops, std::size_t first,
                std::uint16_t end) {
    if (hops.empty()) return;
    Stop* const own = stops + first;
    if (std::all_of(hops.begin(), hops.end(), [](const network::Hop& h) { return h.share == 1; }))
        join(hops, own);
    else
        part(hops, own);
    if (first == 0) return;
    for (Stop* s = own; s < own + hops.size(); ++s) {
        s->next = s->next == Stop::kNone ? end : static_cast<std::uint16_t>(s->next + first);
        if (s->other != Stop::kNone) s->other = static_cast<std::uint16_t>(s->other + first);
    }
}

/// One way: a chain.
void Paths::join(const std::vector<network::Hop>& hops, Stop* stops) {
    for (std::size_t i = 0; i < hops.size(); ++i)
        stops[i] = {hops[i].link, static_cast<std::uint16_t>(i + 1), Stop::kNone};
    stops[hops.size() - 1].next = Stop::kNone;
}

/// Several ways. Hops of one way follow each other, so that ways part and meet only at the ends of
/// such runs: few hops have to be compared with each other.
void Paths::part(const std::vector<network::Hop>& hops, Stop* stops) {
    const auto link = [&](std::size_t i) -> const network::Link& {
        return links_[static_cast<std::size_t>(hops[i].link)];
    };
    ends_ = {link(0).from};
    for (std::size_t i = 1; i < hops.size(); ++i)
        if (link(i).from != link(i - 1).to)
            ends_.insert(ends_.end(), {link(i - 1).to, link(i).from});
    begins_.clear();
    for (std::size_t i = 0; i < hops.size(); ++i)
        if (std::find(ends_.begin(), ends_.end(), link(i).from) != ends_.end())
            begins_.push_back(static_cast<std::uint16_t>(i));
    const auto leaving = [&](int vertex, std::size_t from) {
        for (std::uint16_t i : begins_)
            if (i >= from && link(i).from == vertex) return i;
        return Stop::kNone;
    };
    for (std::size_t i = 0; i < hops.size(); ++i) {
        std::uint16_t next = leaving(link(i).to, 0);
        if (next == Stop::kNone && i + 1 < hops.size() && link(i + 1).from == link(i).to)
            next = static_cast<std::uint16_t>(i + 1);
        stops[i] = {hops[i].link, next, leaving(link(i).from, i + 1)};
    }
}

void Paths::remove(std::uint32_t place, int size) {
    unused_[size_class(static_cast<std::size_t>(size))].push_back(place);
}

}  // namespace hopbine::simulation
