/// Variables on their way from srun to the tasks, also with srun --export=NONE, which hands on none
/// but Slurm's own.
#pragma once
#include <string>
#include <vector>

namespace hopbine::spank {

/// Puts NAME=VALUE entries into this process's environment, in place of what was put there before.
/// Their names say that they are on the way, so that they hold for nothing here. What is there
/// already is left alone: srun may be copying it.
void carry(const std::vector<std::string>& entries);

/// A variable that has arrived.
struct Carried {
    std::string as;  ///< the name on the way
    std::string name, value;
};
/// The ones that are in an environment.
std::vector<Carried> carried(const char* const* environment);

}  // namespace hopbine::spank
