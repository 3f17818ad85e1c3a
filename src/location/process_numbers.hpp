/// Numbers by which processes tell one another where they are.
#pragma once
#include <cstdint>
#include <string>

namespace hopbine::location {

/// A hash of a name, for messages. 0: no name.
std::uint64_t number_of(const std::string& name);

/// Stands for the processes that may open one another's memory: those of one user that Linux
/// numbers together. Containers may number their own. 0: it is not known, or forbidden.
std::uint64_t memory_number();

/// A hash of the cores (hardware threads) that this process may run on, with how many they are.
std::uint64_t cores_number();
/// How many cores such a number is of; 0: not known.
std::int64_t cores_in(std::uint64_t number);

}  // namespace hopbine::location
