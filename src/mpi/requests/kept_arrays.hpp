/// Copies of the counts and displacements of calls that go on by themselves.
///
/// MPI forbids the program to change them before such a call has ended (MPI 4.1, Sec. 6.12), but
/// the MPI libraries read them at once, and mpi4py relies on that.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "mpi/state/communicator.hpp"

namespace hopbine::mpi {

class KeptArrays {
public:
    /// Makes the validated call refer to copies of the arrays that are significant on this rank.
    void keep(Call& call, const Communicator& state);

private:
    std::array<std::vector<std::int64_t>, 4> numbers_;
};

}  // namespace hopbine::mpi
