/// Buffers of a drawn call, and what MPI defines to lie in them afterwards.
#pragma once
#include <mpi.h>

#include <string>
#include <vector>

#include "program.hpp"

namespace model {

struct Buffers {
    const void* send = nullptr;  ///< MPI_IN_PLACE, or in `sent`
    void* recv = nullptr;        ///< MPI_IN_PLACE, or in `received`
    std::vector<int> send_counts, send_places, counts, places;
    std::vector<char> sent, received;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;

    /// `round`: of a persistent call, which has other data each time.
    Buffers(const DrawnCall& call, int rank, int p);
    void fill(int round);
    /// What is wrong; empty: nothing.
    std::string wrong() const;

private:
    class Definition;
    const DrawnCall* call_;
    int rank_, p_, round_ = 0;
    std::vector<char> kept_;  ///< of `sent`: it must not change
    std::vector<char> wanted_, matters_;
};

}  // namespace model
