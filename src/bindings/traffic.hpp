/// The part of hopbine._core that counts traffic.
#pragma once
#include <nanobind/nanobind.h>

namespace hopbine::bindings {
void add_traffic(nanobind::module_& m);
}
