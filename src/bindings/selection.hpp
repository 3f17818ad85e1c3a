/// The part of hopbine._core that reads and explains rules.
#pragma once
#include <nanobind/nanobind.h>

namespace hopbine::bindings {
void add_selection(nanobind::module_& m);
}
