/// What rank 0 tells all ranks at the start of a job: words that rules test, and what earlier jobs
/// have learned. So all ranks choose alike, whatever each sees of the file system.
#pragma once
#include <string>

#include "choice/job.hpp"

namespace hopbine::mpi {

/// What rank 0 of so many tells; empty if no rule and no setting asks for it. Reads what was
/// learned. A file that the user has named and that cannot be used is told, and stays: then nothing
/// is learned in this job. So it is in silence where the user's cache cannot be used.
/// `library`: the word of the MPI library. The others are found, and all are told, only where there
/// are rules: the processor's name takes five instructions that a virtual machine serves in 6 to 40
/// microseconds each.
std::string job_text(int ranks, const std::string& library);
/// The words of this rank, without those of a communicator.
select::Site own_site(const std::string& library);
/// Sets what rank 0 has told of the job, whose ranks are known.
void hear_text(const std::string& text, Job& job);

}  // namespace hopbine::mpi
