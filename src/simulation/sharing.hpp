/// Max-min fair sharing of links by flows that come and go: only what a change can reach is shared
/// anew.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "network/topology.hpp"

namespace hopbine::simulation {

/// A flow of rate r uses r * share of each of its links. Rates are max-min fair: a flow's rate can
/// only grow by making one no larger smaller (progressive filling, Bertsekas and Gallager, Data
/// Networks, Sec. 6.5.2).
class Sharing {
public:
    Sharing(const network::Topology& t, double bandwidth);
    /// A flow on these links (at least one); its rate is 0 until `share`.
    int add(const std::vector<network::Hop>& hops);
    void remove(int flow);
    /// Gives flows their rates and returns those whose rate is new.
    const std::vector<int>& share();
    double rate(int flow) const { return flows_[static_cast<std::size_t>(flow)].rate; }

private:
    struct Use {
        int link;
        double share;
        int at;  ///< in the link's list
    };
    struct Flow {
        std::vector<Use> uses;
        double rate = 0;
        std::uint32_t seen = 0;
        bool fixed = false;
    };
    struct Shared {
        double capacity = 0;
        std::vector<std::pair<int, int>> flows;  ///< flow, and which of its uses
        double free = 0, weight = 0;             ///< of those not fixed yet
        std::uint32_t seen = 0;
        bool changed = false;
    };
    void reach(int link);
    void fill();

    std::vector<Flow> flows_;
    std::vector<Shared> links_;
    std::vector<int> unused_, changed_, reached_links_, reached_flows_, renewed_;
    std::vector<double> before_;
    std::uint32_t round_ = 0;
};

}  // namespace hopbine::simulation
