/// What is known of the links, for the choice between algorithms.
#pragma once
#include <string>

namespace hopbine::select {

/// Bandwidths in bytes/s, times in seconds. The values here stand where a machine's description
/// says nothing: round figures of current networks.
struct LinkCosts {
    double node_bandwidth = 12.5e9;  ///< of a node into the network, each way
    double taper = 2;  ///< what the nodes of a group can send together, over what the group's links
                       ///< out of it carry
    double memory_bandwidth = 10e9;  ///< of one rank copying
    double node_latency = 0.5e-6;    ///< of a message inside a node
    double local_latency = 2e-6;     ///< between nodes of a group
    double global_latency = 3e-6;    ///< between groups
    double overhead = 0.3e-6;  ///< of every further message that a rank sends or receives in a step
};

/// "node_bandwidth, taper, ...".
std::string link_cost_keys();

/// "node_bandwidth=1.25e10:taper=4", keys as above. Throws Error naming the part, what is allowed
/// and `source`.
LinkCosts parse_link_costs(const std::string& text, const std::string& source);

}  // namespace hopbine::select
