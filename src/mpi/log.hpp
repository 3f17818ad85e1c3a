/// Messages to the user, on standard error.
#pragma once
#include <string>

namespace hopbine::mpi {

/// Prints "hopbine: ..." at once.
void say(const std::string& what);
/// Prints each different message only the first time, and only on world rank 0 (or where the rank is not known yet).
void say_once(const std::string& what);

}  // namespace hopbine::mpi
