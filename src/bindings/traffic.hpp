/// The part of hopbine._core that counts traffic.
#pragma once
#include <nanobind/nanobind.h>

#include "core/algorithm.hpp"

namespace hopbine::bindings {
inline Operands operands(bool commutes, bool exact) { return !commutes ? Operands::in_order : exact ? Operands::exact : Operands::commute; }
void add_traffic(nanobind::module_& m);
}
