/// The environment of a process, which the launcher reads, completes and passes on.
#pragma once
#include "location/environment.hpp"

namespace hopbine::launcher {

using location::entries_of;
using location::Environment;
using location::environment_of;
using location::value_of;

}  // namespace hopbine::launcher
