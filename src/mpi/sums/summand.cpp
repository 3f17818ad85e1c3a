#include "mpi/sums/summand.hpp"

#include <vector>

#include "mpi/execute/datatype.hpp"
#include "mpi/execute/messages.hpp"

namespace hopbine::mpi {

namespace {

struct Floating {
    MPI_Datatype type;
    int parts;
    bool long_double = false;  ///< C's
};

/// The predefined floating-point types (MPI 4.1, Sec. 6.9.2). A library has null handles of those
/// that its compilers lack.
const std::vector<Floating>& floating_types() {
    static const std::vector<Floating> all = {
        {MPI_DOUBLE, 1},
        {MPI_FLOAT, 1},
        {MPI_LONG_DOUBLE, 1, true},
        {MPI_DOUBLE_PRECISION, 1},
        {MPI_REAL, 1},
        {MPI_REAL4, 1},
        {MPI_REAL8, 1},
        {MPI_REAL16, 1},
        {MPI_C_DOUBLE_COMPLEX, 2},
        {MPI_C_FLOAT_COMPLEX, 2},
        {MPI_C_LONG_DOUBLE_COMPLEX, 2, true},
        {MPI_DOUBLE_COMPLEX, 2},
        {MPI_COMPLEX, 2},
        {MPI_COMPLEX8, 2},
        {MPI_COMPLEX16, 2},
        {MPI_COMPLEX32, 2},
        {MPI_CXX_DOUBLE_COMPLEX, 2},
        {MPI_CXX_FLOAT_COMPLEX, 2},
        {MPI_CXX_LONG_DOUBLE_COMPLEX, 2, true},
    };
    return all;
}

/// Whether the MPI library adds elements that are not of whole numbers: those have bit operations
/// too. Among them are 16-bit types, and those of MPI_Type_create_f90_real.
bool is_rounded(MPI_Datatype handle) {
    const Type type = describe(handle);
    if (!type.usable || type.size == 0 || describe(MPI_BAND, type).defined) return false;
    std::vector<char> zeros(static_cast<std::size_t>(type.true_extent)), sum(zeros.size());
    return PMPI_Allreduce(zeros.data() - type.true_lb, sum.data() - type.true_lb, 1, handle,
                          MPI_SUM, self_comm()) == MPI_SUCCESS;
}

}  // namespace

Summand summand_of(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL) return {};
    for (const Floating& f : floating_types()) {
        if (f.type != type) continue;
        int size = 0;
        PMPI_Type_size(type, &size);
        return {true, f.parts,
                f.long_double ? sums::arithmetic_of_long_double()
                              : sums::arithmetic_of(static_cast<std::size_t>(size / f.parts))};
    }
    return {.rounds = is_rounded(type)};
}

std::string name_of(MPI_Datatype type) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    PMPI_Type_get_name(type, name, &length);
    return *name ? name : "a datatype without a name";
}

}  // namespace hopbine::mpi
