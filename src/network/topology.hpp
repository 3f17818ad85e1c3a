/// Networks that messages are routed over: end points, switches, directed links, minimal routes.
#pragma once
#include <memory>
#include <string>
#include <vector>

namespace hopbine::network {

/// One direction of a cable between two vertices. Vertices 0..nodes-1 are end points, the switches
/// come after them.
struct Link {
    int from, to;
    double capacity = 1;  ///< in link bandwidths; a bundle of k parallel cables that share their
                          ///< load is one link of capacity k
    double cable = 1;     ///< its latency in those of a cable; 0 for a trace on a board
};

/// What part of a message a link carries.
struct Hop {
    int link;
    double share;
};

/// All minimal ways from one end point to another at once: where ways are equally short, each
/// carries the same share.
struct Route {
    std::vector<Hop> hops;  ///< empty when the end points are the same; a link occurs at most once
    double cables = 0;  ///< passed by a byte, on average over the shares, those from the end points
                        ///< into the network included
    double routers = 0;  ///< passed by a byte, likewise
};

class Topology {
public:
    virtual ~Topology() = default;
    /// As `topology` reads it: "torus:8x8".
    const std::string& name() const { return name_; }
    int nodes() const { return nodes_; }
    int switches() const { return switches_; }
    const std::vector<Link>& links() const { return links_; }
    /// Minimal adaptive routing; clears `out` first. Pure.
    virtual void route(int from, int to, Route& out) const = 0;
    /// Extents of the grid that the numbering of end points follows, the last running fastest: what
    /// algorithms of tori see. {nodes} where there is no grid.
    virtual std::vector<int> shape() const { return {nodes_}; }
    /// Links that an end point can send on at the same time (the paper's ports, 2 D on a torus).
    virtual int ports() const { return 1; }

protected:
    Topology(std::string name, int nodes, int switches)
        : name_(std::move(name)), nodes_(nodes), switches_(switches) {}
    /// Number of the new link.
    int add(Link link) {
        links_.push_back(link);
        return static_cast<int>(links_.size()) - 1;
    }

private:
    std::string name_;
    int nodes_, switches_;
    std::vector<Link> links_;
};

using TopologyPtr = std::shared_ptr<const Topology>;

/// Reads "KIND:EXTENTS[:KEY=VALUE...]". Throws Error naming what was given and what is allowed.
TopologyPtr topology(const std::string& text);
/// One line per kind: its form and what it means. For help texts and errors.
const std::vector<std::pair<std::string, std::string>>& topology_forms();

}  // namespace hopbine::network
