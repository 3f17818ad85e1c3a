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
#include "select/cost_choice.hpp"
#include "select/crossing.hpp"
#include "select/lower_bound.hpp"
#include "select/rules.hpp"

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

nb::dict count_traffic(const std::string& collective, const std::string& algorithm,
                       const std::vector<int>& group, const std::vector<int>& node, int root,
                       const ParameterMap& parameters, const std::vector<int>& order,
                       const std::vector<int>& shape) {
    const Collective c = collective_named(collective);
    Placement place = placement(group, node);
    const int p = static_cast<int>(group.size());
    validate(place, p);
    if (!order.empty()) {
        need_permutation(order, group.size());
        place = select::reordered(place, order);
        if (rooted(c))
            root = static_cast<int>(std::find(order.begin(), order.end(), root) - order.begin());
    }
    const Problem q{c,
                    p,
                    root,
                    {parameters.begin(), parameters.end()},
                    std::make_shared<const Placement>(place),
                    shape};
    const Algorithm& a = algorithm_named(q.collective, algorithm);
    Traffic t;
    {
        nb::gil_scoped_release free;
        t = count(a, q, place);
    }
    nb::dict d = to_dict(t, given_numbers(place.group), given_numbers(place.node));
    d["lower_bound"] = lower_bound(q, place);
    return d;
}

nb::dict peaks_of(const std::string& collective, const std::string& algorithm, int p, int root,
                  const ParameterMap& parameters) {
    const Collective c = collective_named(collective);
    Peaks all;
    {
        nb::gil_scoped_release free;
        all = peaks(algorithm_named(c, algorithm),
                    {c, p, root, {parameters.begin(), parameters.end()}});
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

nb::dict routes(const std::string& collective, const std::string& algorithm,
                const std::string& grid, const std::vector<int>& shape, const std::vector<int>& at,
                int root, const ParameterMap& parameters) {
    if (grid != "torus" && grid != "hyperx") throw Error("'" + grid + "' is not torus or hyperx");
    std::int64_t nodes = 1;
    for (int n : shape) nodes *= n;
    const bool covered =
        nodes == static_cast<std::int64_t>(at.size());  // otherwise the job shares the torus
    const Problem q{collective_named(collective),
                    static_cast<int>(at.size()),
                    root,
                    {parameters.begin(), parameters.end()},
                    std::make_shared<const Placement>(Placement{std::vector<int>(at.size()), at}),
                    covered ? shape : std::vector<int>{}};
    const RouteTraffic t = count_routes(algorithm_named(q.collective, algorithm), q,
                                        grid == "torus" ? Grid::torus : Grid::hyperx, shape, at);
    nb::dict d;
    d["block_hops"] = in_blocks(t.half_blocks_hops, 2 * t.parts);
    d["worst_blocks"] = in_blocks(t.worst_half_blocks, 2 * t.parts);
    d["links"] = t.links;
    d["worst_from"] = t.worst_from;
    d["worst_to"] = t.worst_to;
    return d;
}

/// A candidate: what it is, and what it moves.
nb::dict described(const select::Candidate& one, const select::Loads& loads,
                   const select::LocatedRanks& located) {
    nb::dict d;
    d["algorithm"] = select::text(one.algorithm->name, one.parameters);
    d["commutes"] = one.algorithm->needs_commutative;
    d["bitwise_reproducible"] = one.algorithm->bitwise_reproducible;
    d["global_blocks"] = loads.blocks(loads.totals[select::global_volume]);
    d["local_blocks"] = loads.blocks(loads.totals[select::local_volume]);
    d["reason"] = select::reason(loads, located);
    return d;
}

void require_root(Collective c, int root, int p) {
    if (root < 0 || root >= (rooted(c) ? p : 1))
        throw Error("root " + std::to_string(root) + " is not one of " + std::to_string(p) +
                    " ranks");
}

/// All candidates, and the choice for each size.
nb::dict explain(const std::string& collective, const std::vector<int>& group,
                 const std::vector<int>& node, const std::vector<double>& sizes, int root,
                 const std::string& network, bool commutes, bool exact, double patience,
                 const std::vector<int>& shape) {
    using namespace select;
    const Placement place = placement(group, node);
    const int p = static_cast<int>(group.size());
    validate(place, p);
    const Collective c = collective_named(collective);
    require_root(c, root, p);
    if (!counts(c))
        throw Error(collective +
                    " is chosen for by the default table (hopbine info): the sizes of its blocks "
                    "are not known to all ranks");
    const LinkCosts net = parse_link_costs(network, "network");
    std::vector<Numbering> all;
    std::vector<Candidate> from;
    std::vector<Loads> loads;
    const LocatedRanks located(place, shape);
    {
        nb::gil_scoped_release free;
        all = numberings(place);
        from = candidates(c, place, all, shape);
        for (const Candidate& one : from)
            loads.push_back(
                measure(one, all[static_cast<std::size_t>(one.numbering)], root, located));
    }
    nb::list rows, chosen, orders;
    for (std::size_t i = 0; i < from.size(); ++i) {
        nb::dict d = described(from[i], loads[i], located);
        nb::list seconds;
        for (double bytes : sizes) seconds.append(modelled_seconds(loads[i], net, located, bytes));
        d["numbering"] = all[static_cast<std::size_t>(from[i].numbering)].name;
        d["seconds"] = seconds;
        rows.append(d);
    }
    nb::list first, least;
    const Costed costed{from, loads, net, located, patience};
    for (double bytes : sizes) {
        const int best = choose_by_cost(costed, bytes, operands(commutes, exact)).candidate;
        chosen.append(best);
        const char* const library =
            library_first(located, best >= 0, best >= 0 && bound_by_links(costed, best, bytes));
        first.append(library ? library : "");
        const LowerBound bound = lower_bound(c, root, located, net, bytes);
        least.append(nb::make_tuple(bound.seconds(), bound.limit()));
    }
    for (const Numbering& n : all) orders.append(nb::make_tuple(n.name, n.order));
    nb::dict d;
    d["candidates"] = rows;
    d["chosen"] = chosen;
    d["library_first"] = first;
    d["least"] = least;
    d["scarce"] = can_be_scarce(located);
    d["numberings"] = orders;
    // Between nodes where all are in one group.
    d["lower_bound"] = lower_bound(
        {c, p, root}, located.groups.count() > 1 ? place : Placement{place.node, place.node});
    return d;
}

/// What the choice knows of one algorithm with the ranks as given. Counted once, for any costs.
class Modelled {
public:
    Modelled(const std::string& collective, const std::string& algorithm,
             const std::vector<int>& group, const std::vector<int>& node, int root,
             const ParameterMap& parameters, const std::vector<int>& shape, bool packing)
        : located_(valid(placement(group, node), static_cast<int>(group.size())), shape) {
        const select::Candidate one{&algorithm_named(collective_named(collective), algorithm),
                                    {parameters.begin(), parameters.end()},
                                    0};
        loads_ = select::measure(one, {"given", {}, {}}, root, located_);
        if (packing) select::count_packing(one, root, located_, loads_);
    }
    std::vector<double> seconds(const std::vector<double>& sizes,
                                const std::string& network) const {
        const select::LinkCosts net = select::parse_link_costs(network, "network");
        std::vector<double> out;
        for (double bytes : sizes)
            out.push_back(select::modelled_seconds(loads_, net, located_, bytes));
        return out;
    }
    double scarce_blocks() const { return select::scarce(loads_, located_); }

private:
    static Placement valid(Placement place, int p) {
        validate(place, p);
        return place;
    }
    select::LocatedRanks located_;
    select::Loads loads_;
};

}  // namespace

static void add_choice(nb::module_& m) {
    m.def(
        "chosen_by_counting",
        [](const std::string& c) { return select::counts(collective_named(c)); },
        nb::arg("collective"), "Whether explain() answers for it.");
    m.def("explain", explain, nb::arg("collective"), nb::arg("group"), nb::arg("node"),
          nb::arg("sizes"), nb::arg("root") = 0, nb::arg("network") = "",
          nb::arg("commutes") = true, nb::arg("exact") = false,
          nb::arg("patience") = select::kPatience, nb::arg("shape") = std::vector<int>{},
          "The choice by counting: candidates with their modelled seconds for each size, and the "
          "index of the chosen one per size. library_first: why the MPI library serves the first "
          "calls although one is chosen. least: a lower bound of the seconds, and what limits.");
    nb::class_<Modelled>(m, "Modelled",
                         "An algorithm's loads on the links of a job, with the ranks as given.")
        .def(nb::init<const std::string&, const std::string&, const std::vector<int>&,
                      const std::vector<int>&, int, const ParameterMap&, const std::vector<int>&,
                      bool>(),
             nb::arg("collective"), nb::arg("algorithm"), nb::arg("group"), nb::arg("node"),
             nb::arg("root") = 0, nb::arg("parameters") = ParameterMap{},
             nb::arg("shape") = std::vector<int>{}, nb::arg("packing") = false,
             "packing: messages of several runs cost the copies into and out of them, which the "
             "choice does not count.")
        .def("seconds", &Modelled::seconds, nb::arg("sizes"), nb::arg("network") = "",
             "Seconds for each size by the model of the choice; network as HOPBINE_NETWORK.")
        .def_prop_ro("scarce_blocks", &Modelled::scarce_blocks,
                     "Blocks between groups; between nodes where there is one group.");
    m.def(
        "check_patience",
        [](const std::string& text, const std::string& source) {
            return select::parse_patience(text, source);
        },
        nb::arg("text"), nb::arg("source"),
        "The number of a text that HOPBINE_PATIENCE takes; else ValueError.");
    m.def(
        "check_network",
        [](const std::string& text, const std::string& source) {
            select::parse_link_costs(text, source);
        },
        nb::arg("text"), nb::arg("source"),
        "ValueError when the text is not what HOPBINE_NETWORK takes.");
    m.attr("network_keys") = select::link_cost_keys();
    m.attr("network_defaults") = nb::cast(select::values({}));
}

void add_traffic(nb::module_& m) {
    m.def("count", count_traffic, nb::arg("collective"), nb::arg("algorithm"), nb::arg("group"),
          nb::arg("node") = std::vector<int>{}, nb::arg("root") = 0,
          nb::arg("parameters") = ParameterMap{}, nb::arg("order") = std::vector<int>{},
          nb::arg("shape") = std::vector<int>{},
          "Blocks and messages inside nodes, between nodes of a group and between groups: rank r "
          "is in group[r] on node[r] (none: each on its own); "
          "order[v] is the rank that plays v. pairs: (from, to, blocks, messages); by_step: (step, "
          "times, blocks, messages, largest uplink, largest pair).");
    m.def("peaks", peaks_of, nb::arg("collective"), nb::arg("algorithm"), nb::arg("p"),
          nb::arg("root") = 0, nb::arg("parameters") = ParameterMap{},
          "The busiest rank of every step: steps with times (equal steps share an entry), messages "
          "and blocks that a rank sends or receives, blocks that a rank "
          "reduces. Blocks are in 1 / parts.");
    m.def("routes", routes, nb::arg("collective"), nb::arg("algorithm"), nb::arg("grid"),
          nb::arg("shape"), nb::arg("at"), nb::arg("root") = 0,
          nb::arg("parameters") = ParameterMap{},
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
    add_choice(m);
}

}  // namespace hopbine::bindings
