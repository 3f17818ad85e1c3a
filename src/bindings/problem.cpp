#include "bindings/problem.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/convert.hpp"
#include "select/rules.hpp"

namespace nb = nanobind;

namespace hopbine::bindings {

namespace {

void make_case(Case* self, const std::string& collective, const std::string& algorithm, int p,
               int root, const ParameterMap& parameters, const std::vector<int>& group,
               const std::vector<int>& node, const std::vector<int>& shape, std::int64_t bytes) {
    const Collective c = collective_named(collective);
    Problem q{c, p, root, {parameters.begin(), parameters.end()}, nullptr, shape, bytes};
    if (!group.empty()) {
        q.placement = std::make_shared<const Placement>(placement(group, node));
        if (p == 0) q.p = static_cast<int>(group.size());
    }
    new (self) Case{algorithm_named(c, algorithm), std::move(q)};
}

std::string shown(const Case& c) {
    const Problem& q = c.problem;
    return std::string("Problem(") + name(q.collective) + ' ' +
           select::text(c.algorithm.name, q.parameters) + ", p=" + std::to_string(q.p) +
           (rooted(q.collective) ? ", root=" + std::to_string(q.root) : "") + ')';
}

std::string shown(const Calls& c) {
    return std::string("Calls(") + name(c.collective) +
           (rooted(c.collective) ? ", root=" + std::to_string(c.root) : "") + ", " +
           select::text(c.operands()) + ", " + c.form + ')';
}

/// Blocks that a rank must end with.
std::vector<Block> results(const Case& c, int rank) {
    const Problem& q = c.problem;
    if (rank < 0 || rank >= q.p)
        throw Error("rank " + std::to_string(rank) + " is outside 0.." + std::to_string(q.p - 1));
    std::vector<Block> out;
    const Block blocks = contributors(q, rank) ? block_count(q.collective, q.p) : 0;
    for (Block b = 0; b < blocks; ++b)
        if (const int to = destination(q, b); to == kEveryRank || to == rank) out.push_back(b);
    return out;
}

void add_case(nb::module_& m) {
    const std::vector<int> none;
    nb::class_<Case>(m, "Problem",
                     "An algorithm of a collective and the ranks that run it: rank r is in "
                     "group[r] on node[r] (no nodes: each on its own; no groups: nothing is known "
                     "of them), `shape` is their torus, `bytes` the size of the vector, 0 where it "
                     "is not known. Without p it is the number of the groups' ranks. UsageError "
                     "for unknown names; what the algorithm does not serve is told where the "
                     "problem is used.")
        .def("__init__", make_case, nb::arg("collective"), nb::arg("algorithm"), nb::arg("p") = 0,
             nb::kw_only(), nb::arg("root") = 0, nb::arg("parameters") = ParameterMap{},
             nb::arg("group") = none, nb::arg("node") = none, nb::arg("shape") = none,
             nb::arg("bytes") = 0)
        .def("__repr__", [](const Case& c) { return shown(c); })
        .def_prop_ro("collective", [](const Case& c) { return name(c.problem.collective); })
        .def_prop_ro("algorithm", [](const Case& c) { return c.algorithm.name; })
        .def_prop_ro("p", [](const Case& c) { return c.problem.p; })
        .def_prop_ro("root", [](const Case& c) { return c.problem.root; })
        .def_prop_ro("parameters",
                     [](const Case& c) {
                         return ParameterMap(c.problem.parameters.begin(),
                                             c.problem.parameters.end());
                     })
        .def_prop_ro("group",
                     [none](const Case& c) {
                         return c.problem.placement ? c.problem.placement->group : none;
                     })
        .def_prop_ro("node",
                     [none](const Case& c) {
                         return c.problem.placement ? c.problem.placement->node : none;
                     })
        .def_prop_ro("shape", [](const Case& c) { return c.problem.shape; })
        .def_prop_ro("bytes", [](const Case& c) { return c.problem.bytes; })
        .def_prop_ro(
            "schedule_bytes",
            [](const Case& c) {
                return schedule_bytes(c.algorithm, c.problem.parameters, c.problem.bytes);
            },
            "The size of the vector as far as the schedule depends on it: the next power of two "
            "where a parameter in bytes is set, else 0.")
        .def("results", results, nb::arg("rank"), "Blocks that the rank must end with.");
}

}  // namespace

const Placement& Case::placement() const {
    if (!problem.placement)
        throw Error(std::string(name(problem.collective)) + ' ' + algorithm.name +
                    ": the groups of its ranks are needed");
    validate(*problem.placement, problem.p);
    return *problem.placement;
}

void add_problems(nb::module_& m) {
    add_case(m);
    nb::class_<Calls>(m, "Calls",
                      "Calls of a collective, whose algorithm is chosen. `exact`: no order of the "
                      "operands changes a bit of the result. `form`: blocking, nonblocking or "
                      "persistent. UsageError.")
        .def(
            "__init__",
            [](Calls* self, const std::string& collective, int root, bool commutes, bool exact,
               const std::string& form) {
                if (form != "blocking" && form != "nonblocking" && form != "persistent")
                    throw Error("form '" + form + "' is not blocking, nonblocking or persistent");
                new (self) Calls{collective_named(collective), root, commutes, exact, form};
            },
            nb::arg("collective"), nb::kw_only(), nb::arg("root") = 0, nb::arg("commutes") = true,
            nb::arg("exact") = false, nb::arg("form") = "blocking")
        .def("__repr__", [](const Calls& c) { return shown(c); })
        .def_prop_ro("collective", [](const Calls& c) { return name(c.collective); })
        .def_ro("root", &Calls::root)
        .def_ro("commutes", &Calls::commutes)
        .def_ro("exact", &Calls::exact)
        .def_ro("form", &Calls::form);
}

}  // namespace hopbine::bindings
