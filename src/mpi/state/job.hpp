/// What rank 0 tells all ranks at the start of a job: words that rules test, and what earlier jobs
/// have learned. So all ranks choose alike, whatever each sees of the file system.
#pragma once
#include <string>

#include "select/rules.hpp"

namespace hopbine::mpi {

struct Job {
    std::string mpi;  ///< library_version()
    /// select::machine_word of HOPBINE_SYSTEM, or Slurm's name of the cluster, or empty.
    std::string machine;
    select::Rules learned;  ///< rules of the file of HOPBINE_LEARN
    bool learns = false;    ///< what this job learns is kept
};

/// The name of the MPI library with its version, such as "Open MPI v4.1.4".
std::string library_version();

/// What rank 0 tells; empty if no rule and no setting asks for it. Reads the file of HOPBINE_LEARN
/// and reports what is wrong with it; then nothing is learned in this job, and the file stays.
std::string job_text();
/// The job that rank 0 has told of.
Job job_of(const std::string& text);

}  // namespace hopbine::mpi
