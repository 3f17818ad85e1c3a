/// What the kinds of networks are made from. For src/network only.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "network/topology.hpp"

namespace hopbine::network {

/// A text that names a network, taken apart.
struct Request {
    std::string text;
    std::vector<std::vector<int>>
        extents;  ///< as many lists as the kind has; all extents are at least 1
    std::vector<std::pair<std::string, double>>
        options;  ///< keys that the kind has, each once; all values are above 0
    double number(const std::string& key, double otherwise) const;
    /// Throws Error when the value is not a whole number.
    std::int64_t whole(const std::string& key, std::int64_t otherwise) const;
};

inline constexpr int kMostNodes = 1 << 24;
inline constexpr int kMostLinks = 1 << 27;  // 3 GiB of them

/// Product of the extents. Throws Error when there are more than kMostNodes.
int node_count(const std::vector<int>& extents);
/// Throws Error when there are more than kMostLinks; to be asked before anything is made. A double
/// as products of extents may be beyond all integers.
void expect_links(double links);

TopologyPtr torus(const Request&);
TopologyPtr hyperx(const Request&);
TopologyPtr hammingmesh(const Request&);
TopologyPtr dragonfly(const Request&);
TopologyPtr dragonfly_plus(const Request&);
TopologyPtr fat_tree(const Request&);

}  // namespace hopbine::network
