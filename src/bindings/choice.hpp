/// The choice by counting in hopbine._core.
#pragma once
#include <nanobind/nanobind.h>

namespace hopbine::bindings {
void add_choice(nanobind::module_& m);
}
