#include "launcher/file_name.hpp"

#include <unistd.h>

#include <algorithm>

#include "launcher/rank.hpp"
#include "schedule/bounds.hpp"
#include "schedule/problem.hpp"

namespace hopbine::launcher {

namespace {

/// Slurm, PBS, LSF, Flux, Cobalt and Grid Engine, whose name is the least telling.
constexpr const char* kJobNames[] = {"SLURM_JOB_ID", "PBS_JOBID",    "LSB_JOBID",
                                     "FLUX_JOB_ID",  "COBALT_JOBID", "JOB_ID"};
/// Not an error: launchers do not pass a batch system's variables to all nodes.
constexpr const char* kNoJob = "nojob";

std::string job_id(const Environment& environment) {
    for (const char* name : kJobNames)
        if (const std::string& id = value_of(environment, name); !id.empty()) return id;
    return kNoJob;
}

std::string replacement(char letter, const Environment& environment, const std::string& where) {
    if (letter == '%') return "%";
    if (letter == 'p') return std::to_string(::getpid());
    if (letter != 'j' && letter != 'h')
        throw Error(where + ": a % is followed by j (job), p (process), h (host) or %");
    std::string out = letter == 'j' ? job_id(environment) : node_name(environment);
    std::replace(out.begin(), out.end(), '/', '_');
    return out;
}

}  // namespace

std::string expand_file_name(const std::string& name, const Environment& environment,
                             const std::string& source) {
    std::string out;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name[at] != '%')
            out += name[at];
        else
            out += replacement(++at < name.size() ? name[at] : '\0', environment,
                               source + " " + shown(name));
    }
    return out;
}

}  // namespace hopbine::launcher
