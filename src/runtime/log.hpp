/// Messages to the user, on standard error.
#pragma once
#include <string>

namespace hopbine::mpi {

/// Sets the rank in MPI_COMM_WORLD that messages are of; 0 until then.
void set_log_rank(int rank);
/// Prints "hopbine: ..." at once.
void say(const std::string& what);
/// Prints "hopbine: rank R on HOST: ..." at once: an error of this rank alone.
void say_rank(const std::string& what);
/// Prints each different message only once, where `here`: by default on world rank 0.
void say_once(const std::string& what);
void say_once(const std::string& what, bool here);

}  // namespace hopbine::mpi
