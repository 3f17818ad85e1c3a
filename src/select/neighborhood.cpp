#include "select/neighborhood.hpp"

#include <algorithm>

#include "schedule/bounds.hpp"
#include "schedule/problem.hpp"

namespace hopbine::select {

namespace {

constexpr const char* kModes[] = {"", "mpi", "direct", "joined"};  // by NeighborMode

/// Seconds of so many bytes of every rank of a node into the network.
double between_seconds(const NeighborLoads& loads, const LinkCosts& net, double bytes) {
    const double bandwidth = std::min(
        net.rank_bandwidth, net.node_bandwidth / static_cast<double>(loads.ranks_per_node));
    return net.local_latency + bytes / bandwidth +
           std::min(1.0, bytes / LinkCosts::kLong) * net.rendezvous;
}

}  // namespace

bool parse_neighbors(const std::string& text, NeighborModes* out) {
    const auto equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (!name.starts_with("neighbor_")) return false;
    NeighborMode* const mode = name == "neighbor_alltoallv"   ? &out->alltoallv
                               : name == "neighbor_allgather" ? &out->allgather
                                                              : nullptr;
    if (!mode)
        throw Error("unknown collective '" + shown(name) +
                    "' (known: neighbor_alltoallv, neighbor_allgather)");
    const std::string asked = equals == std::string::npos ? "" : text.substr(equals + 1);
    const auto* const known = std::ranges::find(std::begin(kModes) + 1, std::end(kModes), asked);
    if (known == std::end(kModes))
        throw Error(name + " has no algorithm '" + shown(asked) + "' (known: mpi, direct, joined)");
    *mode = static_cast<NeighborMode>(known - std::begin(kModes));
    return true;
}

bool joins(std::int64_t messages, std::int64_t sources, std::int64_t destinations,
           const LinkCosts& net) {
    return static_cast<double>(messages - 1) * net.local_latency >
           static_cast<double>(sources + destinations) * net.node_latency;
}

double direct_seconds(const NeighborLoads& loads, const LinkCosts& net, double bytes) {
    return between_seconds(loads, net, bytes) +
           static_cast<double>(std::max<std::int64_t>(loads.direct - 1, 0)) * net.overhead;
}

double joined_seconds(const NeighborLoads& loads, const LinkCosts& net, double bytes, bool same) {
    // In each of the two nodes the bytes are packed once and unpacked once more.
    constexpr double kCopies = 4;
    const double sent = same && loads.direct > 0 ? bytes * static_cast<double>(loads.between) /
                                                       static_cast<double>(loads.direct)
                                                 : bytes;
    return between_seconds(loads, net, sent) + 2 * net.node_latency +
           kCopies * sent / net.memory_bandwidth +
           static_cast<double>(std::max<std::int64_t>(loads.between - 1, 0) + loads.hops) *
               net.overhead;
}

}  // namespace hopbine::select
