/// Names of files that differ from job to job.
#pragma once
#include <string>

#include "launcher/environment.hpp"

namespace hopbine::launcher {

/// Replaces %j (the batch system's job id, or nojob), %p (the id of this process), %h (this node's
/// name) and %% (a %). Slashes of a job id or node's name become '_'. Throws Error that names
/// `source` for any other %.
std::string expand_file_name(const std::string& name, const Environment& environment,
                             const std::string& source);

}  // namespace hopbine::launcher
