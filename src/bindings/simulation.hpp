/// Topologies and simulation in hopbine._core.
#pragma once
#include <nanobind/nanobind.h>

namespace hopbine::bindings {
void add_simulation(nanobind::module_& m);
}
