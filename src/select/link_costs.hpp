/// Costs of links, for the choice between algorithms.
#pragma once
#include <map>
#include <string>

namespace hopbine::select {

/// Bandwidths in bytes/s, times in seconds. Defaults are round figures of current networks, for
/// machines whose description does not give them.
struct LinkCosts {
    double node_bandwidth = 12.5e9;  ///< of a node into the network, in each direction
    double taper =
        2;  ///< total bandwidth of the nodes of a group over that of the group's links to others
    double rank_bandwidth = 6e9;  ///< of one rank's messages: one by one, or on a torus all
    double cards = 1;  ///< of a node: so many messages that a rank has in flight together have
                       ///< rank_bandwidth each
    double port_bandwidth = 6.8e9;   ///< of one port of a node in a torus
    double memory_bandwidth = 10e9;  ///< of one rank copying
    double reduce_bandwidth = 20e9;  ///< of one rank reducing
    double node_latency = 0.5e-6;    ///< of a message inside a node
    double local_latency = 2e-6;     ///< of a message between nodes of a group
    double global_latency = 3e-6;    ///< of a message between groups
    double hop_latency = 0.1e-6;     ///< of every further link of a torus that a message passes
    double overhead = 0.3e-6;  ///< of every further message that a rank sends or receives in a step
    double port_overhead = 0.3e-6;  ///< of every further port of a torus by which it does so
    double pack = 10e-9;            ///< of every block that a rank copies to or from another place
    /// Further latency of a step in which a rank sends kLong bytes or more to other nodes: long
    /// messages wait for their receivers. Fewer bytes have their share of it.
    double rendezvous = 8e-6;

    static constexpr double kLong = 128 << 10;
    /// Bytes of a message up to which MPI libraries send it before its receiver asks for it.
    static constexpr double kEager = 16 << 10;

    /// Start-up of a segment of a pipeline: a message that another one is waiting behind takes a
    /// rank at least as long as one inside a node.
    double segment_start() const { return overhead > node_latency ? overhead : node_latency; }
};

/// The keys as text: "node_bandwidth, taper, ...".
std::string link_cost_keys();
/// All costs by key.
std::map<std::string, double> values(const LinkCosts& costs);

/// Parses "node_bandwidth=1.25e10:taper=4" with the keys above. Throws Error naming the part, what
/// is allowed, and `source`.
LinkCosts parse_link_costs(const std::string& text, const std::string& source);

}  // namespace hopbine::select
