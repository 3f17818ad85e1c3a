/// `hopbine run` before a job's launcher: hopbine run srun -n 64 ./program.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "launcher/environment.hpp"

namespace hopbine::launcher {

/// The programs that start the ranks of a job; completion and the reference read them here.
std::span<const char* const> launchers();
/// Whether a program of this name starts the ranks of a job, such as srun or mpiexec.hydra.
bool is_launcher(const std::string& program);
/// Adds to Open MPI's launcher the variables that hopbine needs: the daemons on other nodes do not
/// have the environment of this process. `program` is the file of the command's first word.
void export_variables(std::vector<std::string>& command, const std::string& program,
                      const Environment& environment);

}  // namespace hopbine::launcher
