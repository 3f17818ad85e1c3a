#include "bindings/traffic.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "analysis/count.hpp"
#include "analysis/peaks.hpp"
#include "analysis/routes.hpp"
#include "bindings/convert.hpp"
#include "bindings/problem.hpp"
#include "select/candidates.hpp"
#include "select/crossing.hpp"

namespace nb = nanobind;

namespace hopbine::bindings {

namespace {

/// The caller's numbers of groups or nodes, in the order of Units.
std::vector<int> given_numbers(const std::vector<int>& group) {
    const Units units(group);
    std::vector<int> out;
    for (int u = 0; u < units.count(); ++u)
        out.push_back(group[static_cast<std::size_t>(units.members(u).front())]);
    return out;
}

void need_permutation(const std::vector<int>& order, std::size_t p) {
    std::vector<bool> seen(p);
    for (int r : order) {
        if (r < 0 || static_cast<std::size_t>(r) >= p || seen[static_cast<std::size_t>(r)])
            throw Error("the order of " + std::to_string(p) + " ranks holds " + std::to_string(r) +
                        " twice, or it is no rank");
        seen[static_cast<std::size_t>(r)] = true;
    }
    if (order.size() != p)
        throw Error("the order has " + std::to_string(order.size()) + " ranks of " +
                    std::to_string(p));
}

/// Converts volumes to blocks, whatever the number of parts.
struct InBlocks {
    int parts;
    nb::object operator()(std::int64_t volume) const {
        if (parts == 1) return nb::int_(volume);
        return nb::float_(in_blocks(volume, parts));
    }
};

nb::list volumes(const std::vector<int>& numbers, const std::vector<Volume>& all,
                 const InBlocks& blocks) {
    nb::list out;
    for (std::size_t u = 0; u < all.size(); ++u)
        out.append(nb::make_tuple(numbers[u], blocks(all[u].blocks), all[u].messages));
    return out;
}

nb::dict to_dict(const Traffic& t, const std::vector<int>& numbers,
                 const std::vector<int>& node_numbers) {
    const InBlocks blocks{t.parts};
    nb::dict d;
    d["steps"] = t.steps;
    d["groups"] = t.groups;
    d["nodes"] = t.nodes;
    d["blocks"] = blocks(t.inside.blocks + t.local.blocks + t.global.blocks);
    d["messages"] = t.inside.messages + t.local.messages + t.global.messages;
    d["inside_blocks"] = blocks(t.inside.blocks);
    d["inside_messages"] = t.inside.messages;
    d["local_blocks"] = blocks(t.local.blocks);
    d["local_messages"] = t.local.messages;
    d["global_blocks"] = blocks(t.global.blocks);
    d["global_messages"] = t.global.messages;
    d["group_out"] = volumes(numbers, t.group_out, blocks);
    d["group_in"] = volumes(numbers, t.group_in, blocks);
    d["node_out"] = volumes(node_numbers, t.node_out, blocks);
    d["node_in"] = volumes(node_numbers, t.node_in, blocks);
    nb::list pairs, steps;
    for (const Pair& q : t.pairs)
        pairs.append(nb::make_tuple(numbers[static_cast<std::size_t>(q.from)],
                                    numbers[static_cast<std::size_t>(q.to)], blocks(q.sent.blocks),
                                    q.sent.messages));
    d["pairs"] = pairs;
    d["pairs_kept"] = t.pairs_kept;
    for (const StepTraffic& s : t.by_step)
        steps.append(nb::make_tuple(s.step, s.times, blocks(s.global.blocks), s.global.messages,
                                    blocks(s.worst_uplink), blocks(s.worst_pair)));
    d["by_step"] = steps;
    return d;
}

nb::dict count_traffic(const Case& asked, const std::vector<int>& order) {
    Placement place = asked.placement();
    Problem q = asked.problem;
    if (!order.empty()) {
        need_permutation(order, place.group.size());
        place = select::reordered(place, order);
        if (rooted(q.collective))
            q.root = static_cast<int>(std::ranges::find(order, q.root) - order.begin());
        q.placement = std::make_shared<const Placement>(place);
    }
    Traffic t;
    {
        nb::gil_scoped_release free;
        t = count(asked.algorithm, q, place);
    }
    nb::dict d = to_dict(t, given_numbers(place.group), given_numbers(place.node));
    d["lower_bound"] = lower_bound(q, place);
    return d;
}

nb::dict peaks_of(const Case& asked) {
    Peaks all;
    {
        nb::gil_scoped_release free;
        all = peaks(asked.algorithm, asked.problem);
    }
    const InBlocks blocks{all.parts};
    nb::list steps;
    for (const StepPeak& s : all.steps) {
        nb::dict d;
        d["step"] = s.step;
        d["times"] = s.times;
        d["messages"] = s.messages;
        d["blocks"] = blocks(s.blocks);
        d["reduced"] = blocks(s.reduced);
        steps.append(d);
    }
    nb::dict d;
    d["steps"] = steps;
    return d;
}

nb::dict routes(const Case& asked, const std::string& grid, const std::vector<int>& shape,
                const std::vector<int>& at) {
    if (grid != "torus" && grid != "hyperx") throw Error("'" + grid + "' is not torus or hyperx");
    std::int64_t nodes = 1;
    for (int n : shape) nodes *= n;
    Problem q = asked.problem;
    q.placement = std::make_shared<const Placement>(Placement{std::vector<int>(at.size()), at});
    // A job that does not cover the torus shares it.
    q.shape = nodes == static_cast<std::int64_t>(at.size()) ? shape : std::vector<int>{};
    const RouteTraffic t =
        count_routes(asked.algorithm, q, grid == "torus" ? Grid::torus : Grid::hyperx, shape, at);
    nb::dict d;
    d["block_hops"] = in_blocks(t.half_blocks_hops, 2 * t.parts);
    d["worst_blocks"] = in_blocks(t.worst_half_blocks, 2 * t.parts);
    d["links"] = t.links;
    d["worst_from"] = t.worst_from;
    d["worst_to"] = t.worst_to;
    return d;
}

}  // namespace

void add_traffic(nb::module_& m) {
    m.def("count", count_traffic, nb::arg("problem"), nb::arg("order") = std::vector<int>{},
          "Blocks and messages inside nodes, between nodes of a group and between groups; "
          "order[v] is the rank that plays v. pairs: (from, to, blocks, messages); by_step: (step, "
          "times, blocks, messages, largest uplink, largest pair).");
    m.def("peaks", peaks_of, nb::arg("problem"),
          "The busiest rank of every step: steps with times (equal steps share an entry), messages "
          "and blocks that a rank sends or receives, blocks that a rank "
          "reduces. Blocks are in 1 / parts.");
    m.def("routes", routes, nb::arg("problem"), nb::arg("grid"), nb::arg("shape"), nb::arg("at"),
          "Blocks on the links of a torus or hyperx: rank r is on node at[r] of the shape, last "
          "dimension fastest.");
    m.def(
        "numberings",
        [](const std::vector<int>& group, const std::vector<int>& node) {
            const Placement place = placement(group, node);
            validate(place, static_cast<int>(group.size()));
            std::vector<std::pair<std::string, std::vector<int>>> out;
            for (select::Numbering& n : select::numberings(place))
                out.emplace_back(std::move(n.name), std::move(n.order));
            return out;
        },
        nb::arg("group"), nb::arg("node") = std::vector<int>{},
        "(name, order) of the numberings that the choice tries; an empty order is the given one.");
}

}  // namespace hopbine::bindings
