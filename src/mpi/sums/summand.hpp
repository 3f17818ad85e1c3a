/// Datatypes whose sums are rounded: which ones exact sums serve.
#pragma once
#include <mpi.h>

#include <string>

#include "sums/arithmetic.hpp"

namespace hopbine::mpi {

/// What MPI_SUM on a datatype adds.
struct Summand {
    bool rounds = false;  ///< false: whole numbers, or a datatype that MPI_SUM is not defined on
    int parts = 1;        ///< numbers of an element: 2 of a complex one
    const sums::Arithmetic* arithmetic = nullptr;  ///< of each part; null: it has none
};
Summand summand_of(MPI_Datatype type);

/// The datatype's name, as MPI_DOUBLE.
std::string name_of(MPI_Datatype type);

}  // namespace hopbine::mpi
