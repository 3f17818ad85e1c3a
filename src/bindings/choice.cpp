#include "bindings/choice.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "analysis/count.hpp"
#include "bindings/convert.hpp"
#include "bindings/problem.hpp"
#include "select/cost_choice.hpp"
#include "select/lower_bound.hpp"
#include "select/model_errors.hpp"
#include "select/rules.hpp"

namespace nb = nanobind;

namespace hopbine::bindings {

namespace {

/// A candidate: what it is, what it moves, and its modelled seconds at each size.
nb::dict described(const select::Costed& costed, std::size_t candidate,
                   const std::string& numbering, const std::vector<double>& sizes) {
    const select::Candidate& one = costed.candidates[candidate];
    const select::Loads& loads = costed.loads[candidate];
    nb::list seconds, beside;
    for (double bytes : sizes) {
        seconds.append(select::modelled_seconds(loads, costed.net, costed.located, bytes));
        beside.append(select::seconds_beside_computation(loads, costed.net, costed.located, bytes));
    }
    nb::dict d;
    d["algorithm"] = select::text(one.algorithm->name, one.parameters);
    d["numbering"] = numbering;
    d["commutes"] = one.algorithm->needs_commutative;
    d["bitwise_reproducible"] = one.algorithm->bitwise_reproducible;
    d["global_blocks"] = loads.blocks(loads.totals[select::global_volume]);
    d["local_blocks"] = loads.blocks(loads.totals[select::local_volume]);
    d["reason"] = select::reason(loads, costed.located);
    d["seconds"] = seconds;
    d["beside_seconds"] = beside;
    return d;
}

void require_root(Collective c, int root, int p) {
    if (root < 0 || root >= (rooted(c) ? p : 1))
        throw Error("root " + std::to_string(root) + " is not one of " + std::to_string(p) +
                    " ranks");
}

/// What a choice by counting depends on beside the calls and their ranks.
struct Choosing {
    select::LinkCosts network;
    double patience;
};

/// All candidates, and the choice for each size.
nb::dict explain(const Calls& calls, const std::vector<double>& sizes,
                 const std::vector<int>& group, const std::vector<int>& node,
                 const std::vector<int>& shape, const Choosing& by) {
    using namespace select;
    const bool nonblocking = calls.form == "nonblocking", blocking = calls.form == "blocking";
    const Placement place = placement(group, node);
    const int p = static_cast<int>(group.size());
    validate(place, p);
    const Collective c = calls.collective;
    require_root(c, calls.root, p);
    if (!counts(c))
        throw Error(std::string(name(c)) +
                    " is chosen for by the default table (hopbine info): the sizes of its blocks "
                    "are not known to all ranks");
    std::vector<Numbering> all;
    std::vector<Candidate> from;
    std::vector<Loads> loads;
    const LocatedRanks located(place, shape);
    {
        nb::gil_scoped_release free;
        all = numberings(place);
        from = candidates(c, place, all, shape, !blocking);
        for (const Candidate& one : from)
            loads.push_back(
                measure(one, all[static_cast<std::size_t>(one.numbering)], calls.root, located));
    }
    nb::list rows, chosen, orders;
    const Costed costed{from, loads, by.network, located, by.patience, !blocking};
    for (std::size_t i = 0; i < from.size(); ++i)
        rows.append(
            described(costed, i, all[static_cast<std::size_t>(from[i].numbering)].name, sizes));
    nb::list first, least;
    for (double bytes : sizes) {
        const int best = choose_by_cost(costed, bytes, calls.operands()).candidate;
        chosen.append(best);
        const bool sure = best >= 0 && (nonblocking || bound_by_links(costed, best, bytes));
        const char* const library = library_first(located, best >= 0, sure);
        first.append(library ? library : "");
        const LowerBound bound = lower_bound(c, calls.root, located, by.network, bytes);
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
        {c, p, calls.root}, located.groups.count() > 1 ? place : Placement{place.node, place.node});
    return d;
}

/// What the choice knows of one algorithm with the ranks as given. Counted once, for any costs.
class Modelled {
public:
    Modelled(const Case& asked, const std::string& copies)
        : located_(asked.placement(), asked.problem.shape) {
        const Problem& q = asked.problem;
        const select::Candidate one{&asked.algorithm, q.parameters, 0};
        loads_ = select::measure(one, {"given", {}, {}}, q.root, located_);
        if (copies.empty()) return;
        if (copies == "own") {
            loads_.packed = select::packing(*schedule(asked.algorithm, q), q.root, loads_.patterns,
                                            pairs(q.collective));
            return;
        }
        if (copies != "none" && copies != "vector")
            throw Error("copies is '" + copies + "', not 'own', 'none' or 'vector'");
        loads_.packed.clear();
        loads_.permutes =
            copies == "vector" ? select::Permutes::at_an_end : select::Permutes::never;
    }
    std::vector<double> seconds(const std::vector<double>& sizes,
                                const std::string& network) const {
        const select::LinkCosts net = select::parse_link_costs(network, "network");
        std::vector<double> out;
        for (double bytes : sizes)
            out.push_back(select::modelled_seconds(loads_, net, located_, bytes));
        return out;
    }
    double patience(double given) const { return select::patience_of(located_, given); }
    double scarce_blocks() const { return select::scarce(loads_, located_); }

private:
    select::LocatedRanks located_;
    select::Loads loads_;
};

void add_error_bars(nb::module_& m) {
    using select::ErrorBar;
    nb::class_<ErrorBar>(m, "ErrorBar",
                         "What published times of `cells` calls have shown of the model of the "
                         "choice (docs/choice-errors). like: which calls these are.")
        .def_ro("network", &ErrorBar::network)
        .def_ro("collective", &ErrorBar::collective)
        .def_ro("bytes", &ErrorBar::bytes)
        .def_ro("ranks", &ErrorBar::ranks)
        .def_ro("cells", &ErrorBar::cells)
        .def_ro("off", &ErrorBar::off)
        .def_ro("off_90", &ErrorBar::off_90)
        .def_ro("lost", &ErrorBar::lost)
        .def_ro("lost_90", &ErrorBar::lost_90)
        .def_ro("apart", &ErrorBar::apart)
        .def_prop_ro("like", &select::calls_of);
    m.def(
        "error_bars",
        [] { return std::vector(select::error_bars().begin(), select::error_bars().end()); },
        "All error bars, the narrowest first.");
    m.def(
        "error_bar",
        [](const std::string& collective, double size, int ranks, bool torus) {
            return select::error_bar(collective_named(collective), size, ranks, torus);
        },
        nb::arg("collective"), nb::arg("size"), nb::arg("ranks"), nb::arg("torus"),
        "The error bar of a call: of its collective and number of ranks, else of its collective, "
        "else of all. size: bytes of the vector; torus: whether the ranks fill one.");
    m.def(
        "error_classes",
        [](double size, int ranks, bool torus) {
            return nb::make_tuple(select::network_class(torus), select::bytes_class(size),
                                  select::ranks_class(ranks));
        },
        nb::arg("size"), nb::arg("ranks"), nb::arg("torus"),
        "The classes of a call that error bars tell apart: network, bytes and ranks.");
    m.attr("all_calls") = select::kAll;
}

}  // namespace

void add_choice(nb::module_& m) {
    add_error_bars(m);
    m.def(
        "chosen_by_counting",
        [](const std::string& c) { return select::counts(collective_named(c)); },
        nb::arg("collective"), "Whether explain() answers for it.");
    nb::class_<Choosing>(m, "Choosing",
                         "Settings of a choice by counting, as HOPBINE_NETWORK and "
                         "HOPBINE_PATIENCE. UsageError.")
        .def(
            "__init__",
            [](Choosing* self, const std::string& network, double patience) {
                new (self) Choosing{select::parse_link_costs(network, "network"), patience};
            },
            nb::kw_only(), nb::arg("network") = "", nb::arg("patience") = select::kPatience);
    m.def("explain", explain, nb::arg("calls"), nb::arg("sizes"), nb::arg("group"),
          nb::arg("node") = std::vector<int>{}, nb::arg("shape") = std::vector<int>{},
          nb::arg("choosing") = Choosing{{}, select::kPatience},
          "The choice by counting: candidates with their modelled seconds for each size, and the "
          "index of the chosen one per size. library_first: why the MPI library serves the first "
          "calls although one is chosen. beside_seconds: of a call that computation follows, what "
          "passes beside it. least: a lower bound of the seconds, and what limits.");
    nb::class_<Modelled>(m, "Modelled",
                         "An algorithm's loads on the links of a job, with the ranks as given.")
        .def(nb::init<const Case&, const std::string&>(), nb::arg("problem"),
             nb::arg("copies") = "",
             "copies: of an implementation that copies otherwise than hopbine's: 'none', or the "
             "'vector' once, block by block. 'own': hopbine's, which the choice counts on a torus "
             "alone.")
        .def("seconds", &Modelled::seconds, nb::arg("sizes"), nb::arg("network") = "",
             "Seconds for each size by the model of the choice; network as HOPBINE_NETWORK.")
        .def("patience", &Modelled::patience, nb::arg("given"),
             "The patience that counts for these ranks: 1 on a torus of their own.")
        .def_prop_ro("scarce_blocks", &Modelled::scarce_blocks,
                     "Blocks between groups; between nodes where there is one group.");
    m.def(
        "check_patience",
        [](const std::string& text, const std::string& source) {
            return select::parse_patience(text, source);
        },
        nb::arg("text"), nb::arg("source"),
        "The number of a text that HOPBINE_PATIENCE takes; else UsageError.");
    m.def(
        "check_network",
        [](const std::string& text, const std::string& source) {
            select::parse_link_costs(text, source);
        },
        nb::arg("text"), nb::arg("source"),
        "UsageError when the text is not what HOPBINE_NETWORK takes.");
    m.attr("network_keys") = select::link_cost_keys();
    m.attr("network_defaults") = nb::cast(select::values({}));
}

}  // namespace hopbine::bindings
