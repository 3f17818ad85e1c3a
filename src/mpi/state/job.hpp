/// What rank 0 tells all ranks at the start of a job: words that rules test, and what earlier jobs
/// have learned. So all ranks choose alike, whatever each sees of the file system.
#pragma once
#include <string>

#include "select/rules.hpp"

namespace hopbine::mpi {

struct Job {
    /// The site of rank 0, without the communicators' placements. Machine: select::machine_word of
    /// HOPBINE_SYSTEM, or Slurm's name of the cluster, or select::kUnnamed.
    select::Site site;
    std::string file;       ///< that keeps what was learned
    bool learns = false;    ///< what this job learns is kept there
    select::Rules learned;  ///< rules of the file that may answer in this job
};

/// The name of the MPI library with its version, such as "Open MPI v4.1.4".
std::string library_version();

/// What rank 0 of so many tells; empty if no rule and no setting asks for it. Reads what was
/// learned. A file that the user has named and that cannot be used is told, and stays: then nothing
/// is learned in this job. So it is in silence where the user's cache cannot be used.
std::string job_text(int ranks);
/// The job that rank 0 has told of. `cores`: of its site.
Job job_of(const std::string& text, const std::string& cores);

}  // namespace hopbine::mpi
