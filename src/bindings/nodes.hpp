/// The node model in hopbine._core.
#pragma once
#include <nanobind/nanobind.h>

namespace hopbine::bindings {
void add_nodes(nanobind::module_& m);
}
