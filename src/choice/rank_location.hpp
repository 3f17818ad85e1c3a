/// Names of where a process is, as its launcher, the MPI library and the user tell them.
#pragma once
#include <string>

namespace hopbine::mpi {

struct RankLocation {
    /// HOPBINE_NODE, else SLURMD_NODENAME in a task of srun, else the MPI library's name of it.
    std::string node;
    /// location::group_of_process; empty where it is not known.
    std::string group;
};
/// Where this process is. `processor`: MPI_Get_processor_name.
RankLocation rank_location(const std::string& processor);

}  // namespace hopbine::mpi
