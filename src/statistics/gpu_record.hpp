/// What `hopbine gpu probe` has found out about MPI libraries, kept in the user's cache folder.
#pragma once
#include <string>
#include <vector>

namespace hopbine::mpi {

/// What an MPI library does with GPU memory, in ascending order.
enum class Takes : unsigned char {
    unknown,   ///< nobody has tried
    nothing,   ///< it reads and writes the memory with the CPU, which ends the process
    messages,  ///< sends and receives it
    all,       ///< its collectives take it too
};

/// The file, lines of an answer, a tab and what it is about; empty: nowhere.
std::string gpu_record_file();

/// What an answer is about, in one line: the MPI library's version and file, and the settings and
/// the libraries of its transports, which decide on GPU memory as much. `environment`: as environ;
/// `libraries`: paths of all that the process has loaded, through links or not.
std::string gpu_record_subject(const std::string& version, const char* const* environment,
                               const std::vector<std::string>& libraries);

/// The answer in a file, the last of several; unknown where there is none or the file cannot be
/// read. Throws Error where others may have written it.
Takes read_gpu_record(const std::string& file, const std::string& subject);

}  // namespace hopbine::mpi
