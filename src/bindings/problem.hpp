/// Questions to the core as values of Python: an algorithm with what it is to solve, and calls.
#pragma once
#include <nanobind/nanobind.h>

#include <string>

#include "schedule/algorithm.hpp"

namespace hopbine::bindings {

/// An algorithm of a collective, and the ranks that run it: Problem in Python.
struct Case {
    const Algorithm& algorithm;
    Problem problem;
    /// The placement of the ranks. Throws Error where it is not known, or not valid.
    const Placement& placement() const;
};

/// Calls of a collective, whose algorithm is chosen.
struct Calls {
    Collective collective;
    int root;
    bool commutes, exact;  ///< exact: no order of the operands changes a bit of the result
    std::string form;      ///< blocking, nonblocking or persistent
    Operands operands() const {
        return !commutes ? Operands::in_order : exact ? Operands::exact : Operands::commute;
    }
};

void add_problems(nanobind::module_& m);

}  // namespace hopbine::bindings
