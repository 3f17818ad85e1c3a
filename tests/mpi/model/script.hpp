/// Runs what one thread of a rank does of a program.
#pragma once
#include <mpi.h>

#include <atomic>
#include <vector>

#include "program.hpp"

namespace model {

/// What all ranks share of a script that runs.
struct SharedScript {
    const Script* script;
    std::vector<MPI_Comm> comms;           ///< of its groups
    std::vector<std::atomic<int>> passed;  ///< of each call: ranks on which the library serves
    explicit SharedScript(const Script& script);
    /// Calls that some ranks pass on and others do not end the run. Returns those passed on.
    int count_passed() const;
};

/// Ends the run where a result is wrong.
void run_script(SharedScript& shared, int rank, std::uint64_t seed);

}  // namespace model
