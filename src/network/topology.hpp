/// Networks that messages are routed over: endpoints, switches, directed links, minimal routes.
#pragma once
#include <memory>
#include <string>
#include <vector>

namespace hopbine::network {

/// One direction of a cable between two vertices. Endpoints are 0..nodes-1, followed by switches.
struct Link {
    int from, to;
    double capacity = 1;  ///< in link bandwidths; a bundle of k parallel cables that share their
                          ///< load is one link of capacity k
    double cable = 1;     ///< latency as a multiple of a cable's; 0 for a trace on a board
    int order = 0;  ///< where routes go along rising orders they need one virtual channel, and
                    ///< one more for each link that is not above the one before
};

/// A link on a route, and the fraction of the message that it carries.
struct Hop {
    int link;
    double share;
};

/// All minimal routes between two endpoints together. Routes of equal length carry equal shares.
struct Route {
    std::vector<Hop> hops;  ///< empty if the endpoints are the same; a link occurs at most once
    double cables = 0;   ///< cables that a byte passes, averaged over the shares, including those
                         ///< between endpoints and network
    double routers = 0;  ///< routers that a byte passes, likewise
};

class Topology {
public:
    virtual ~Topology() = default;
    /// The text that `topology` reads, such as "torus:8x8".
    const std::string& name() const { return name_; }
    int nodes() const { return nodes_; }
    int switches() const { return switches_; }
    const std::vector<Link>& links() const { return links_; }
    /// Minimal adaptive route; clears `out` first. Pure.
    virtual void route(int from, int to, Route& out) const = 0;
    /// Extents of the grid along which endpoints are numbered, the last varying fastest. Algorithms
    /// of tori use these. {nodes} if there is no grid.
    virtual std::vector<int> shape() const { return {nodes_}; }
    /// Endpoints of a group: a dragonfly's group, what is below a top link of a fat tree. Endpoints
    /// of a group are consecutive. nodes() if there are no groups.
    virtual int group_nodes() const { return nodes_; }
    /// Number of links on which an endpoint can send at once: the paper's ports, 2 D on a torus.
    virtual int ports() const { return 1; }

protected:
    Topology(std::string name, int nodes, int switches)
        : name_(std::move(name)), nodes_(nodes), switches_(switches) {}
    /// Adds a link and returns its number.
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

/// Parses "KIND:EXTENTS[:KEY=VALUE...]". Throws Error naming what was given and what is allowed.
TopologyPtr topology(const std::string& text);
/// How many end points it would have; makes no links. Throws Error as `topology` does, except for
/// what only links show.
int topology_nodes(const std::string& text);
/// One line per kind: its form and meaning. For help texts and errors.
const std::vector<std::pair<std::string, std::string>>& topology_forms();

}  // namespace hopbine::network
