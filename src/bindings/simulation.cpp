#include "bindings/simulation.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <span>

#include "bindings/convert.hpp"
#include "bindings/problem.hpp"
#include "simulation/packets.hpp"
#include "simulation/steps.hpp"

namespace nb = nanobind;

namespace hopbine::bindings {

namespace {

using simulation::Speeds;

/// Wrapper of a constant topology, since nanobind requires a type without const.
struct Network {
    network::TopologyPtr topology;
};

nb::list links(const Network& n) {
    nb::list out;
    for (const network::Link& l : n.topology->links())
        out.append(nb::make_tuple(l.from, l.to, l.capacity, l.cable));
    return out;
}

nb::dict route(const Network& n, int from, int to) {
    for (int node : {from, to})
        if (node < 0 || node >= n.topology->nodes())
            throw Error("node " + std::to_string(node) + " is outside 0.." +
                        std::to_string(n.topology->nodes() - 1) + " of " + n.topology->name());
    network::Route r;
    n.topology->route(from, to, r);
    nb::list hops;
    for (const network::Hop& h : r.hops) hops.append(nb::make_tuple(h.link, h.share));
    nb::dict out;
    out["hops"] = hops;
    out["cables"] = r.cables;
    out["routers"] = r.routers;
    return out;
}

/// The first network card of every rank.
std::vector<int> end_points(const simulation::Hosts& hosts, std::size_t ranks) {
    std::vector<int> out;
    for (std::size_t r = 0; r < ranks; ++r) out.push_back(hosts.card(static_cast<int>(r), 0));
    return out;
}

/// The nodes of the ranks, and the groups that the network has.
std::shared_ptr<const Placement> placement_on(const network::Topology& t,
                                              const std::vector<int>& node,
                                              const simulation::Hosts& hosts) {
    Placement out{end_points(hosts, node.size()), node};
    for (int& group : out.group) group /= t.group_nodes();
    return std::make_shared<const Placement>(std::move(out));
}

/// What the flow and packet engines found.
nb::dict told(const simulation::Outcome& o) {
    nb::dict out;
    out["seconds"] = o.seconds;
    out["mean"] = o.mean;
    out["shared"] = o.shared;
    out["messages"] = o.messages;
    nb::list events;
    for (const simulation::Event& e : o.of_rank) {
        nb::dict d;
        d["sent"] = e.sent;
        d["channel"] = e.channel;
        d["step"] = e.step;
        d["peer"] = e.peer;
        d["begin"] = e.begin;
        d["end"] = e.end;
        d["bytes"] = e.bytes;
        events.append(d);
    }
    out["events"] = events;
    return out;
}

/// Bytes of blocks in a row, as an array of Python has them.
using Sizes = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Wrapper of constant sizes of blocks, for the same reason.
struct Blocks {
    simulation::DrawnBlocksPtr drawn;
};

simulation::Program program_of(const Algorithm& a, const Problem& q, const Blocks* blocks) {
    return blocks ? simulation::Program(a, q, blocks->drawn) : simulation::Program(a, q);
}

/// The problem of ranks on these nodes of a network.
Problem placed(Problem q, const network::Topology& t, const std::vector<int>& at,
               const simulation::Hosts& hosts) {
    if (static_cast<std::size_t>(q.p) != at.size())
        throw Error("p = " + std::to_string(q.p) + " ranks are not on " +
                    std::to_string(at.size()) + " nodes, one for each rank");
    q.placement = placement_on(t, at, hosts);
    return q;
}

/// Wrapper of another job's constant calls, for the same reason.
struct Beside {
    std::shared_ptr<const simulation::OtherCalls> calls;
};

/// One algorithm on one network, counted once for all sizes and speeds.
class Simulation {
public:
    Simulation(const Case& asked, const Network& n, const std::vector<int>& at, int cards,
               const Blocks* blocks, int calls)
        : topology_(n.topology),
          hosts_(at, cards, *n.topology),
          at_(end_points(hosts_, at.size())),
          program_(
              program_of(asked.algorithm, placed(asked.problem, *topology_, at, hosts_), blocks)
                  .repeated(calls)) {
        nb::gil_scoped_release free;
        loads_ = simulation::step_loads(program_, *topology_, at_);
    }
    double step_time(double bytes, double bandwidth, double cable, double router) const {
        return simulation::step_time(loads_, program_, {bandwidth, cable, router}, bytes);
    }
    nb::dict flow(double bytes, double bandwidth, double cable, double router, int watched,
                  double resolution) {
        simulation::Outcome o;
        {
            nb::gil_scoped_release free;
            o = flows().run(bytes, {bandwidth, cable, router}, watched, resolution);
        }
        return told(o);
    }
    nb::dict packet(double bytes, double bandwidth, double cable, double router,
                    const simulation::PacketOptions& options) {
        simulation::PacketOutcome o;
        {
            nb::gil_scoped_release free;
            o = packets().run(bytes, {bandwidth, cable, router}, options);
        }
        nb::dict out = told(o);
        out["processed"] = o.events;
        out["waited"] = o.waited;
        out["channels"] = o.channels;
        out["busy"] = o.busy;
        out["background"] = o.background;
        out["aggressor"] = o.aggressor;
        out["aggressor_calls"] = o.beside.calls;
        out["aggressor_late"] = o.beside.late;
        out["aggressor_seconds"] = o.beside.seconds;
        return out;
    }
    nb::list steps() const {
        nb::list out;
        for (const simulation::StepLoad& l : loads_.steps) {
            nb::dict d;
            d["step"] = l.step;
            d["times"] = l.times;
            d["cables"] = l.cables;
            d["routers"] = l.routers;
            d["load"] = l.load;
            d["link"] = l.link;
            d["hops"] = l.hops;
            out.append(d);
        }
        return out;
    }
    nb::dict deficiencies() {
        const auto d =
            simulation::deficiencies(loads_, program_, topology_->ports(), flows().shared());
        nb::dict out;
        out["latency"] = d.latency;
        out["bandwidth"] = d.bandwidth;
        out["congestion"] = d.congestion;
        return out;
    }
    std::vector<double> link_loads(int from, int to) const {
        return simulation::link_loads(program_, *topology_, at_, from, to);
    }
    const simulation::Program& program() const { return program_; }
    /// Elements of the smallest vector with at least one element in every message.
    std::int64_t divides() const {
        std::int64_t least = program_.parts();
        for (const simulation::StepLoad& l : loads_.steps)
            if (l.least > 0) least = std::min(least, l.least);
        return program_.parts() / least;
    }

private:
    const simulation::Flows& flows() {
        std::call_once(prepared_, [this] {
            flows_ = std::make_unique<simulation::Flows>(program_, topology_, at_, loads_);
        });
        return *flows_;
    }
    const simulation::Packets& packets() {
        std::call_once(by_packets_, [this] {
            packets_ = std::make_unique<simulation::Packets>(flows(), hosts_);
        });
        return *packets_;
    }
    network::TopologyPtr topology_;
    simulation::Hosts hosts_;
    std::vector<int> at_;  ///< end points
    simulation::Program program_;
    simulation::Loads loads_;
    std::once_flag prepared_, by_packets_;
    std::unique_ptr<simulation::Flows> flows_;
    std::unique_ptr<simulation::Packets> packets_;
};

void add_packet_options(nb::module_& m) {
    using simulation::PacketOptions;
    nb::class_<PacketOptions>(
        m, "PacketOptions",
        "How the packet engine simulates, for good. `trains`: into which a message is cut at most. "
        "`seed` decides between what is equal. `watched`: the rank whose messages are told, -1 for "
        "none. `costs` of a message: message_costs(). Other jobs' traffic: the share `background` "
        "of the bandwidth that the nodes without ranks send at, or those of `jobs` inside their "
        "job, in which pattern, and an aggressor on some of them; `calls` of another job. "
        "`buffer`: bytes behind a cable, for each virtual channel. UsageError for an unknown name.")
        .def(
            "__init__",
            [](PacketOptions* self, int trains, std::uint64_t seed, int watched,
               const std::string& routing, const std::map<std::string, double>& costs, double share,
               const std::string& pattern, const std::string& aggressor, int aggressor_nodes,
               const std::vector<std::vector<int>>& jobs, const Beside* calls, double buffer) {
                PacketOptions made;
                made.trains = trains;
                made.seed = seed;
                made.watched = watched;
                made.routing = simulation::routing_named(routing);
                made.costs = simulation::message_costs(costs);
                made.background = {share,
                                   simulation::pattern_named(pattern),
                                   simulation::aggressor_named(aggressor),
                                   aggressor_nodes,
                                   jobs,
                                   calls ? calls->calls : nullptr};
                made.buffer = buffer;
                new (self) PacketOptions(std::move(made));
            },
            nb::kw_only(), nb::arg("trains") = PacketOptions{}.trains,
            nb::arg("seed") = PacketOptions{}.seed, nb::arg("watched") = PacketOptions{}.watched,
            nb::arg("routing") = "minimal", nb::arg("costs") = std::map<std::string, double>{},
            nb::arg("background") = PacketOptions{}.background.share,
            nb::arg("pattern") = "uniform", nb::arg("aggressor") = "none",
            nb::arg("aggressor_nodes") = PacketOptions{}.background.nodes,
            nb::arg("jobs") = std::vector<std::vector<int>>{}, nb::arg("calls").none() = nb::none(),
            nb::arg("buffer") = PacketOptions{}.buffer);
}

void add_calls(nb::module_& m) {
    nb::class_<Beside>(m, "CallsBeside",
                       "Calls of an algorithm by another job, with a rank on each of these nodes: "
                       "one in every period (seconds), or when the one before has ended where that "
                       "takes longer. UsageError.")
        .def(
            "__init__",
            [](Beside* self, const Case& asked, const Network& n, const std::vector<int>& nodes,
               int cards, double bytes, double period) {
                const simulation::Hosts hosts(nodes, cards, *n.topology);
                simulation::Program program(asked.algorithm,
                                            placed(asked.problem, *n.topology, nodes, hosts));
                new (self) Beside{std::make_shared<const simulation::OtherCalls>(
                    std::move(program), nodes, bytes, period)};
            },
            nb::arg("problem"), nb::arg("topology"), nb::arg("nodes"), nb::arg("cards"),
            nb::arg("bytes"), nb::arg("period"));
}

void add_blocks(nb::module_& m) {
    nb::class_<Blocks>(m, "DrawnBlocks",
                       "Bytes of an alltoallv's blocks between ranks: drawn from a distribution of "
                       "whole elements, or as they are told, from rank 0 to each rank, then from "
                       "rank 1, and so on. UsageError.")
        .def(
            "__init__",
            [](Blocks* self, const std::string& text, int ranks, std::size_t element) {
                new (self) Blocks{std::make_shared<const simulation::DrawnBlocks>(
                    distribution_named(text, element), ranks)};
            },
            nb::arg("text"), nb::arg("ranks"), nb::arg("element") = 4)
        .def(
            "__init__",
            [](Blocks* self, const Sizes& sizes, int ranks) {
                new (self) Blocks{std::make_shared<const simulation::DrawnBlocks>(
                    std::span(sizes.data(), sizes.size()), ranks)};
            },
            nb::arg("sizes"), nb::arg("ranks"));
}

void add_networks(nb::module_& m) {
    m.def(
        "message_costs", [] { return simulation::values({}); },
        "The costs of a message that the packet engine knows, and their defaults: seconds; seconds "
        "per byte (inside, unexpected, reduce, copy); bytes (eager).");
    m.def("topology_forms", &network::topology_forms,
          "The kinds of topologies: pairs of a form and what it means.");
    m.def("topology_nodes", &network::topology_nodes, nb::arg("text"),
          "How many end points a topology has, before any link is made.");
    nb::class_<Network>(m, "Topology",
                        "A network: end points 0..nodes-1, switches after them, directed links, "
                        "minimal adaptive routes.")
        .def(
            "__init__",
            [](Network* self, const std::string& text) {
                new (self) Network{network::topology(text)};
            },
            nb::arg("text"))
        .def_prop_ro("name", [](const Network& n) { return n.topology->name(); })
        .def_prop_ro("nodes", [](const Network& n) { return n.topology->nodes(); })
        .def_prop_ro("switches", [](const Network& n) { return n.topology->switches(); })
        .def_prop_ro(
            "shape", [](const Network& n) { return n.topology->shape(); },
            "Extents of the grid of end points, the last running fastest.")
        .def_prop_ro("ports", [](const Network& n) { return n.topology->ports(); })
        .def_prop_ro(
            "group_nodes", [](const Network& n) { return n.topology->group_nodes(); },
            "End points of a group, which are consecutive; all where there are no groups.")
        .def("links", links, "(from, to, capacity, cable) of every link, by number.")
        .def("route", route, nb::arg("source"), nb::arg("target"),
             "Hops as (link, share), and the cables and routers that a byte passes.");
    m.def(
        "check_cards",
        [](const Network& n, int cards) { simulation::Hosts({}, cards, *n.topology); },
        nb::arg("topology"), nb::arg("cards"),
        "UsageError unless nodes can have so many network cards, which are end points.");
}

}  // namespace

void add_simulation(nb::module_& m) {
    add_networks(m);
    add_calls(m);
    add_packet_options(m);
    add_blocks(m);
    nb::class_<Simulation>(m, "Simulation",
                           "One algorithm on one network; rank r is on node at[r], whose network "
                           "cards are `cards` end "
                           "points. Groups are those of the network. `blocks`: of an alltoallv. "
                           "`calls`: one after the other, whose time is told for all together. "
                           "Bytes, bytes per second, seconds.")
        .def(nb::init<const Case&, const Network&, const std::vector<int>&, int, const Blocks*,
                      int>(),
             nb::arg("problem"), nb::arg("topology"), nb::arg("at"), nb::arg("cards") = 1,
             nb::arg("blocks").none() = nb::none(), nb::arg("calls") = 1)
        .def_prop_ro(
            "parts", [](const Simulation& s) { return s.program().parts(); },
            "What the vector is divided in.")
        .def_prop_ro("divides", &Simulation::divides,
                     "Elements of the smallest vector of which every message gets one.")
        .def_prop_ro("channels", [](const Simulation& s) { return s.program().channels(); })
        .def_prop_ro("step_count", [](const Simulation& s) { return s.program().steps_of_call(); })
        .def("steps", &Simulation::steps,
             "Equal steps: times, cables and routers of the longest way, load of the most "
             "loaded link in parts, and so on.")
        .def("deficiencies", &Simulation::deficiencies,
             "Lambda, Psi and Xi of Swing's eq. 1, counted.")
        .def("link_loads", &Simulation::link_loads, nb::arg("first"), nb::arg("last"),
             "Parts on every link in steps first..last-1.")
        .def("step_time", &Simulation::step_time, nb::arg("bytes"), nb::arg("bandwidth"),
             nb::arg("cable"), nb::arg("router"), "Seconds by the step model.")
        .def("flow", &Simulation::flow, nb::arg("bytes"), nb::arg("bandwidth"), nb::arg("cable"),
             nb::arg("router"), nb::arg("watched") = -1,
             nb::arg("resolution") = simulation::Flows::kResolution,
             "Seconds by the flow engine, and the messages of the watched rank.")
        .def(
            "packet", &Simulation::packet, nb::arg("bytes"), nb::arg("bandwidth"), nb::arg("cable"),
            nb::arg("router"), nb::arg("options") = simulation::PacketOptions{},
            "Seconds by the packet engine, the messages of the watched rank, the number of events "
            "processed, seconds that trains waited in queues in all, and that each link was busy "
            "(empty where no link is ever shared: times follow step by step). What other jobs' "
            "senders reached is told, and of another job's calls how many all ranks completed, how "
            "many one began late, and what one took on the slowest rank; and how many virtual "
            "channels finite buffers have.");
}

}  // namespace hopbine::bindings
