// The Python module hopbine._core: the registry, schedules, the check and the counts.
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "analysis/export.hpp"
#include "analysis/fingerprint.hpp"
#include "analysis/goal.hpp"
#include "bindings/choice.hpp"
#include "bindings/convert.hpp"
#include "bindings/launcher.hpp"
#include "bindings/nodes.hpp"
#include "bindings/problem.hpp"
#include "bindings/selection.hpp"
#include "bindings/simulation.hpp"
#include "bindings/traffic.hpp"
#include "families/bine/bine.hpp"
#include "schedule/bounds.hpp"
#include "schedule/integers.hpp"
#include "select/pipelines.hpp"
#include "verify/check.hpp"

namespace nb = nanobind;
using namespace hopbine;
using bindings::Case;
using bindings::ParameterMap;
using Ints = std::vector<int>;
using Write = std::function<void(const std::string&)>;

namespace {

nb::list list_algorithms() {
    nb::list out;
    for (const Algorithm* a : algorithms()) {
        nb::dict d;
        d["collective"] = name(a->collective);
        d["name"] = a->name;
        d["summary"] = a->summary;
        d["paper"] = a->paper;
        d["section"] = a->section;
        d["published"] = published(*a);
        d["p"] = text(a->ranks);
        d["commutes"] = a->needs_commutative;
        d["bitwise_reproducible"] = a->bitwise_reproducible;
        d["note"] = a->note;
        d["follows_placement"] = a->follows_placement;
        d["by_name_only"] = a->by_name_only;
        d["follows_shape"] = a->follows_shape;
        nb::list parameters;
        for (const Parameter& q : a->parameters) {
            nb::dict e;
            e["name"] = q.name;
            e["low"] = q.low;
            e["high"] = q.high;
            e["default"] = q.fallback;
            e["kind"] = name(q.kind);
            e["probes"] = q.probes();
            e["meaning"] = q.meaning;
            parameters.append(e);
        }
        d["parameters"] = parameters;
        out.append(d);
    }
    return out;
}

nb::dict read_distribution(const std::string& text, std::size_t element) {
    const distribution d = bindings::distribution_named(text, element);
    nb::dict out;
    out["text"] = d.text;
    out["mean"] = distribution_mean(&d);
    out["longest"] = distribution_longest(&d) * static_cast<std::int64_t>(element);
    return out;
}

nb::dict check_one(const Case& asked) {
    Verdict v;
    {
        nb::gil_scoped_release free;
        v = check(asked.algorithm, asked.problem);
    }
    nb::dict d;
    d["ok"] = v.ok;
    d["why"] = v.why;
    d["steps"] = v.steps;
    d["messages"] = v.messages;
    d["blocks"] = v.blocks;
    return d;
}

/// A schedule to walk: steps, and moves as (direction, op, channel, peer, runs).
struct Walk {
    SchedulePtr schedule;
    int p;
    nb::list moves(int rank, int step) const {
        if (rank < 0 || rank >= p || step < 0 || step >= schedule->steps())
            throw Error("rank or step is outside the schedule");
        Step now;
        schedule->moves(rank, step, now);
        nb::list out;
        for (const Move& m : now) {
            nb::list runs;
            for (const Run& r : m.blocks.runs()) runs.append(nb::make_tuple(r.lo, r.hi));
            out.append(nb::make_tuple(m.direction == Direction::send ? "send" : "recv",
                                      m.op == Op::copy ? "copy" : "reduce", m.channel, m.peer,
                                      runs));
        }
        return out;
    }
};

void need_power_of_two(int p) {
    if (!power_of_two(p)) throw Error("p = " + std::to_string(p) + " is not a power of two");
}

void add_registry(nb::module_& m) {
    m.def("algorithms", list_algorithms, "Records of all algorithms, by collective then name.");
    m.def(
        "fits",
        [](const std::string& collective, const std::string& algorithm, int p, const Ints& shape) {
            const Algorithm& a = algorithm_named(collective_named(collective), algorithm);
            Problem q{a.collective, p};
            q.shape = shape.empty() ? Ints{p} : shape;
            return fits(a, p) && (!a.refuses || a.refuses(q).empty());
        },
        nb::arg("collective"), nb::arg("algorithm"), nb::arg("p"), nb::arg("shape") = Ints{},
        "Does the algorithm serve p ranks, and a torus of this shape?");
    m.def(
        "with_segments",
        [](const Case& asked, double alpha, double beta) {
            const Problem& q = asked.problem;
            const Parameters all = select::with_segments(
                asked.algorithm, q.parameters, q.p,
                asked.algorithm.follows_shape ? q.shape : Ints{}, q.bytes, alpha, beta);
            return ParameterMap(all.begin(), all.end());
        },
        nb::arg("problem"), nb::arg("alpha"), nb::arg("beta"),
        "The parameters, and where a pipeline's number of segments is not among them the one that "
        "suits a vector of this size, a message of b bytes taking alpha + beta b.");
    m.def(
        "blocks", [](const std::string& c, int p) { return block_count(collective_named(c), p); },
        nb::arg("collective"), nb::arg("p"));
    m.def(
        "rooted", [](const std::string& c) { return rooted(collective_named(c)); },
        nb::arg("collective"));
    m.def("check", check_one, nb::arg("problem"),
          "Replays the schedule on all ranks and counts every contribution; a dict with ok, why, "
          "steps, messages, blocks.");
}

void add_exports(nb::module_& m) {
    m.def(
        "export",
        [](const Case& asked, const std::string& format, const Write& write) {
            export_schedule(asked.algorithm, asked.problem, format_named(format), write);
        },
        nb::arg("problem"), nb::arg("format"), nb::arg("write"));
    m.attr("csv_heading") = kCsvHeading;
    m.def(
        "export_goal",
        [](const Case& asked, const Write& write) {
            export_goal(asked.algorithm, asked.problem, write);
        },
        nb::arg("problem"), nb::arg("write"),
        "The schedule in GOAL for a vector of the problem's bytes, or of a block times the number "
        "of ranks.");
}

void add_distributions(nb::module_& m) {
    m.def("distribution", read_distribution, nb::arg("text"), nb::arg("element") = 1,
          "Of an alltoallv's blocks (src/bench/distribution.h), in whole elements: its text in "
          "full, mean and longest, in bytes. UsageError says what is allowed.");
    m.def(
        "draw",
        [](const std::string& text, int from, int to, int round, std::size_t element) {
            const distribution d = bindings::distribution_named(text, element);
            return distribution_draw(&d, from, to, round) * static_cast<std::int64_t>(element);
        },
        nb::arg("text"), nb::arg("origin"), nb::arg("destination"), nb::arg("round"),
        nb::arg("element") = 1, "Bytes of the block that hopbine-bench draws.");
}

void add_bine(nb::module_& m) {
    m.def(
        "rank2nb",
        [](int r, int p) {
            need_power_of_two(p);
            return bine::rank2nb(r, p);
        },
        nb::arg("r"), nb::arg("p"));
    m.def(
        "nb2rank",
        [](std::uint32_t digits, int p) {
            need_power_of_two(p);
            return bine::nb2rank(digits, p);
        },
        nb::arg("digits"), nb::arg("p"));
    m.def(
        "nu",
        [](int r, int p) {
            need_power_of_two(p);
            return bine::nu(r, p);
        },
        nb::arg("r"), nb::arg("p"));
}

void add_schedules(nb::module_& m) {
    nb::class_<Walk>(m, "Schedule")
        .def_prop_ro("steps", [](const Walk& w) { return w.schedule->steps(); })
        .def_prop_ro(
            "parts", [](const Walk& w) { return w.schedule->traits().parts; },
            "How many parts a block is in; runs are of parts, block * parts + part.")
        .def_prop_ro(
            "fingerprint", [](const Walk& w) { return fingerprint(*w.schedule, w.p); },
            "Equal for algorithms that send the same messages.")
        .def("moves", &Walk::moves, nb::arg("rank"), nb::arg("step"),
             "(direction, op, channel, peer, runs) of each move; runs are half-open.");
    m.def(
        "schedule",
        [](const Case& asked) {
            return Walk{schedule(asked.algorithm, asked.problem), asked.problem.p};
        },
        nb::arg("problem"));
}

/// What cannot be met is hopbine.UsageError, which is a ValueError.
void translate_errors() {
    nb::register_exception_translator([](const std::exception_ptr& caught, void*) {
        try {
            std::rethrow_exception(caught);
        } catch (const Error& error) {
            const nb::object type = nb::module_::import_("hopbine.errors").attr("UsageError");
            PyErr_SetString(type.ptr(), error.what());
        }
    });
}

}  // namespace

NB_MODULE(_core, m) {
    translate_errors();
    m.attr("version") = HOPBINE_VERSION;
    m.attr("MOST_RANKS") = kMostRanks;
    m.attr("MOST_DIMENSIONS") = kMostDimensions;
    m.def("parse_shape", &parse_shape, nb::arg("text"), nb::arg("source"),
          "Extents of '8x8x4'. UsageError names the source.");
    bindings::add_problems(m);
    add_registry(m);
    add_exports(m);
    add_distributions(m);
    add_bine(m);
    add_schedules(m);
    bindings::add_traffic(m);
    bindings::add_choice(m);
    bindings::add_simulation(m);
    bindings::add_nodes(m);
    bindings::add_selection(m);
    bindings::add_launcher(m);
}
