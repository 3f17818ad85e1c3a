/// What carries messages between the nodes of a job, as one word.
#pragma once
#include <string>
#include <vector>

#include "location/environment.hpp"

namespace hopbine::location {

/// Kinds of network adapters with remote memory access on this node, such as {"mlx5"} or {"cxi"}.
std::vector<std::string> adapters(const std::string& devices = "/sys/class");
/// Adapters, and settings that change transports or algorithms of MPI libraries:
/// - "default": no such adapter and no such setting
/// - "mlx5", "mlx5 UCX_TLS=rc,sm"
/// - a text that is long or not printable is replaced by its hash: "mlx5, 7 settings: 3fc2b1a0..."
std::string transport_word(const Environment& environment,
                           const std::vector<std::string>& adapters);

}  // namespace hopbine::location
