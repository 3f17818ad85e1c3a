/// Minimal routes as graphs that trains of packets walk link by link.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "network/topology.hpp"

namespace hopbine::simulation {

/// A link of a route, as a train sees it. Stops are named by their number within their route.
struct Stop {
    static constexpr std::uint16_t kNone = 0xffff;
    static constexpr std::uint16_t kReserved = 0xfff0;  ///< from here on numbers of no stop
    std::int32_t link;
    std::uint16_t next;   ///< the first stop behind the link; kNone: the link ends at the receiver
    std::uint16_t other;  ///< the next stop that leaves from the same vertex, or kNone
};

/// The routes of all messages under way. Routes share their memory by size.
class Paths {
public:
    /// Links on a route at most.
    static constexpr int kMost = Stop::kReserved;
    /// `channelled`: whether stops have virtual channels.
    Paths(const network::Topology& t, bool channelled);
    /// Keeps the hops of a route and returns its place. Hops are in the order in which a byte
    /// passes them, and any way along them is a minimal route: ways that part meet again after
    /// equally many cables. A detour follows in two legs, from the stop behind the route's last.
    /// Throws Error if there are more than kMost links.
    std::uint32_t add(const std::vector<network::Hop>& route,
                      const std::vector<network::Hop>& there = {},
                      const std::vector<network::Hop>& on = {});
    void remove(std::uint32_t place, int size);
    const Stop* at(std::uint32_t place) const { return &stops_[place]; }
    /// The virtual channel of a stop. On any way channels never fall, and each stop has a higher
    /// channel or a link of higher order than the one before: what trains wait for goes along these
    /// and makes no circle.
    std::uint16_t channel(std::uint32_t place, std::uint16_t stop) const {
        return channels_[place + stop];
    }
    void prefetch(std::uint32_t place, std::uint16_t stop) const {
        __builtin_prefetch(&stops_[place + stop]);
        if (channelled_) __builtin_prefetch(&channels_[place + stop]);
    }

private:
    void leg(const std::vector<network::Hop>& hops, Stop* stops, std::size_t first,
             std::uint16_t end);
    void join(const std::vector<network::Hop>& hops, Stop* stops);
    void part(const std::vector<network::Hop>& hops, Stop* stops);
    void number_channels(std::uint32_t place, std::size_t size);
    const std::vector<network::Link>& links_;
    bool channelled_;
    std::vector<Stop> stops_;
    std::vector<std::uint16_t> channels_;                ///< by stop, if they have them
    std::vector<int> orders_;                            ///< of links, likewise
    std::vector<int> ends_;                              ///< vertices where ways part or meet
    std::vector<std::uint16_t> begins_;                  ///< hops that leave from there
    std::array<std::vector<std::uint32_t>, 17> unused_;  ///< by binary logarithm of the size
};

}  // namespace hopbine::simulation
