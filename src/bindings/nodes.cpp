#include "bindings/nodes.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include "bindings/convert.hpp"
#include "simulation/nodes.hpp"

namespace nb = nanobind;

namespace hopbine::bindings {

namespace {

using namespace simulation;

/// One alltoallv on nodes of several ranks, counted once for all block sizes and speeds.
class OnNodes {
public:
    OnNodes(const std::string& algorithm, int nodes, int per_node, const ParameterMap& parameters) {
        const Problem q{
            Collective::alltoallv, nodes * per_node, 0, {parameters.begin(), parameters.end()}};
        nb::gil_scoped_release free;
        loads_ = node_loads(algorithm_named(q.collective, algorithm), q, nodes, per_node);
    }
    nb::dict time(const std::string& blocks, std::size_t element, bool again,
                  const std::map<std::string, double>& speeds) const {
        const distribution d = distribution_named(blocks, element);
        const NodeSpeeds v{speeds.at("latency_inside"),
                           speeds.at("latency_between"),
                           speeds.at("overhead"),
                           speeds.at("rank"),
                           speeds.at("node"),
                           speeds.at("block"),
                           speeds.at("copy")};
        const NodeTimes t = node_time(loads_, block_sizes(d, loads_.ranks, again), v);
        nb::dict out;
        out["inside"] = to_dict(t.inside);
        out["between"] = to_dict(t.between);
        return out;
    }
    /// Largest numbers sent by a rank in each step, summed over all steps.
    nb::dict sent() const {
        std::int64_t messages = 0, packed = 0, steps = 0;
        for (const EqualSteps& s : loads_.steps) {
            std::int64_t most = 0, blocks = 0;
            for (const RankLoad& l : s.loads) {
                most = std::max(most, l.sent_inside.bare + l.sent_between.bare +
                                          l.sent_inside.packed + l.sent_between.packed);
                blocks = std::max(blocks, l.sent_inside.bare + l.sent_between.bare +
                                              l.sent_inside.blocks + l.sent_between.blocks);
            }
            messages += s.times * most;
            packed += s.times * blocks;
            steps += s.times;
        }
        nb::dict out;
        out["steps"] = steps;
        out["messages"] = messages;
        out["blocks"] = packed;
        return out;
    }

private:
    static nb::dict to_dict(const NodeTime& t) {
        nb::dict out;
        out["latency"] = t.latency;
        out["overhead"] = t.overhead;
        out["inside"] = t.inside;
        out["between"] = t.between;
        out["packing"] = t.packing;
        return out;
    }
    NodeLoads loads_;
};

}  // namespace

void add_nodes(nb::module_& m) {
    nb::class_<OnNodes>(m, "OnNodes",
                        "An alltoallv on nodes of several consecutive ranks each, by the node "
                        "model (src/simulation/nodes.hpp).")
        .def(nb::init<const std::string&, int, int, const ParameterMap&>(), nb::arg("algorithm"),
             nb::arg("nodes"), nb::arg("per_node"), nb::arg("parameters") = ParameterMap{})
        .def("time", &OnNodes::time, nb::arg("blocks"), nb::arg("element"), nb::arg("again"),
             nb::arg("speeds"),
             "Seconds for blocks from a distribution of whole elements: of the steps inside nodes "
             "and of the others, each by what they are spent on. `again`: "
             "heads do not repeat the sizes of the last call. Speeds: those of a machine's table "
             "[ranks] and of its nodes' links.")
        .def("sent", &OnNodes::sent,
             "Steps, and messages and blocks that the busiest rank of each sends, all together.");
}

}  // namespace hopbine::bindings
