/// The form of a collective call.
#pragma once
#include <cstdint>

namespace hopbine::mpi {

enum class Form : std::uint8_t { blocking, nonblocking, persistent };

}  // namespace hopbine::mpi
