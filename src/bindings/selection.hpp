/// Rules in hopbine._core: reads and explains them.
#pragma once
#include <nanobind/nanobind.h>

namespace hopbine::bindings {
void add_selection(nanobind::module_& m);
}
