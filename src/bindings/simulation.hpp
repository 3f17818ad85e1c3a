/// The part of hopbine._core that routes and simulates.
#pragma once
#include <nanobind/nanobind.h>

namespace hopbine::bindings {
void add_simulation(nanobind::module_& m);
}
