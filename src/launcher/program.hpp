/// The program that is run.
#pragma once
#include <string>

namespace hopbine::launcher {

/// The file of a program, found in `path` as the shell does; empty if there is none.
std::string find_program(const std::string& name, const std::string& path);
/// Why LD_PRELOAD has no effect on a program. Empty if it has, and if that cannot be told.
std::string out_of_reach(const std::string& program);
/// Throws Error if no file of this name can be written. What is there stays as it is.
void check_writable(const std::string& path);

}  // namespace hopbine::launcher
