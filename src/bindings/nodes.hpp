/// The part of hopbine._core that has the node model.
#pragma once
#include <nanobind/nanobind.h>

namespace hopbine::bindings {
void add_nodes(nanobind::module_& m);
}
