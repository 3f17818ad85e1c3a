/// `hopbine run` for Python: the tables of its settings and options, and what it does.
#pragma once
#include <nanobind/nanobind.h>

namespace hopbine::bindings {

void add_launcher(nanobind::module_& m);

}  // namespace hopbine::bindings
