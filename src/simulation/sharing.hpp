/// Max-min fair sharing of links by flows that start and end. Rates are recomputed only where a
/// change can reach.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "network/topology.hpp"

namespace hopbine::simulation {

/// Max-min fair rates: none can grow without reducing one that is no larger. Found by progressive
/// filling (Bertsekas and Gallager, Data Networks, Sec. 6.5.2). A flow of rate r uses r * share of
/// each of its links.
class Sharing {
public:
    Sharing(const network::Topology& t, double bandwidth);
    /// Adds a flow on these links (at least one); its rate is 0 until `share`.
    int add(const std::vector<network::Hop>& hops);
    void remove(int flow);
    /// Computes rates and returns the flows whose rate changed.
    const std::vector<int>& share();
    double rate(int flow) const { return flows_[static_cast<std::size_t>(flow)].rate; }

private:
    struct Use {
        int link;
        double share;
        int at;  ///< position in the link's list
    };
    struct Flow {
        std::vector<Use> uses;
        double rate = 0;
        std::uint32_t seen = 0;
        bool fixed = false;
    };
    struct Shared {
        double capacity = 0;
        std::vector<std::pair<int, int>> flows;  ///< flow, and index of its use
        double free = 0, weight = 0;             ///< of flows without a fixed rate
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
