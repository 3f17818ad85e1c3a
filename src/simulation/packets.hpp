/// The packet engine: messages are trains of packets that queue for links. The dependencies are
/// those of the flow engine; links serve trains one after the other instead of sharing fairly.
#pragma once
#include <limits>

#include "simulation/flows.hpp"
#include "simulation/hosts.hpp"
#include "simulation/periodic_job.hpp"
#include "simulation/traffic.hpp"

namespace hopbine::simulation {

/// How trains go: on minimal routes, by way of another group or node (Valiant), or on that of the
/// two whose queue times its links is shorter when a train is injected (UGAL-L: Singh,
/// Load-Balanced Routing in Interconnection Networks, 2005).
enum class Routing { minimal, valiant, ugal };
/// Throws Error with the names that exist.
Routing routing_named(const std::string& name);

struct PacketOptions {
    int trains = 16;         ///< into which a message is cut at most, 1..kMostTrains
    double packet = 8192;    ///< bytes; a message of fewer packets has a train for each
    std::uint64_t seed = 1;  ///< decides between what is equal: order of ranks, equal queues
    int watched = -1;        ///< rank whose messages are reported, -1 for none
    Routing routing = Routing::minimal;
    MessageCosts costs = {};
    Background background = {};
    double buffer = std::numeric_limits<double>::infinity();  ///< bytes behind a cable, for each
                                                              ///< virtual channel; a train has a
                                                              ///< quarter of them at most
    static constexpr int kMostTrains = 65535;
};

struct PacketOutcome : Outcome {
    std::int64_t events = 0;   ///< 0 if no link is ever shared: times follow step by step
    std::vector<double> busy;  ///< seconds that each link sent; empty without events; with
                               ///< background traffic since that began
    double waited = 0;         ///< seconds that trains waited in queues, summed
    int channels = 0;          ///< virtual channels that finite buffers were needed for
    double background = 0;     ///< what each of its senders sent while the job ran, in the mean, as
                               ///< a share of a link's bandwidth
    double aggressor = 0;      ///< likewise of the aggressor's senders
    CallsBeside beside;        ///< calls of another job
};

/// Simulates a program on a network by packets, for any size and speed.
class Packets {
public:
    /// Every end point of the network is a node.
    explicit Packets(const Flows& flows);
    /// `hosts` has the nodes of the ranks; messages go from and to their cards.
    Packets(const Flows& flows, const Hosts& hosts);
    /// Simulates one size. Throws Error for options outside their ranges and for a simulation of
    /// more than kMostEvents. Safe to call from several threads.
    PacketOutcome run(double bytes, const Speeds& s, const PacketOptions& options = {}) const;
    /// Number of events that `run` processes, 0 if it follows step by step.
    double events(double bytes, const PacketOptions& options = {}) const;
    static constexpr double kMostEvents = 1e11;

private:
    struct Size {
        std::int64_t parts, times, hops;  ///< messages of this size, and their hops in all
    };
    std::shared_ptr<const Known> known_;
    Hosts hosts_;
    std::vector<Size> sizes_;
};

}  // namespace hopbine::simulation
