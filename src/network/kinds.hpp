/// Parts that the kinds of networks are made of, for src/network only.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "network/topology.hpp"

namespace hopbine::network {

/// The parsed text of a topology.
struct Request {
    std::string text;
    std::vector<std::vector<int>>
        extents;  ///< as many lists as the kind has; all extents are at least 1
    std::vector<std::pair<std::string, double>>
        options;  ///< keys of the kind, each once; all values are above 0
    double number(const std::string& key, double otherwise) const;
    /// Throws Error if the value is not a whole number.
    std::int64_t whole(const std::string& key, std::int64_t otherwise) const;
};

inline constexpr int kMostNodes = 1 << 24;
inline constexpr int kMostLinks = 1 << 27;  // their size is 3 GiB

/// Product of the extents. Throws Error if it exceeds kMostNodes.
int node_count(const std::vector<int>& extents);
/// Throws Error if a network has more than kMostLinks; called before any is made. A double, since
/// products of extents may exceed all integers.
void expect_links(double links);

TopologyPtr torus(const Request&);
TopologyPtr hyperx(const Request&);
TopologyPtr hammingmesh(const Request&);
TopologyPtr dragonfly(const Request&);
TopologyPtr dragonfly_plus(const Request&);
TopologyPtr fat_tree(const Request&);

}  // namespace hopbine::network
