/// Counts of traffic in hopbine._core.
#pragma once
#include <nanobind/nanobind.h>

namespace hopbine::bindings {
void add_traffic(nanobind::module_& m);
}
