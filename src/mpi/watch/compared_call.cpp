#include "mpi/watch/compared_call.hpp"

#include "mpi/execute/datatype.hpp"
#include "mpi/watch/names.hpp"
#include "watch/calls.h"
#include "watch/function.hpp"

namespace hopbine::mpi {

namespace {

template <class Count>
std::int64_t sum_of(std::int64_t array, int ranks) {
    const auto* const counts = reinterpret_cast<const Count*>(array);
    std::int64_t out = 0;
    for (int i = 0; i < ranks; ++i) out += counts[i];
    return out;
}

/// Elements of a call; negative: the MPI library refuses it.
std::int64_t elements(const watch_call& call, const watch::Places& places, std::int64_t count,
                      int ranks) {
    if (places.counts < 0) return count;
    const std::int64_t array = call.words[places.counts];
    if (array == 0) return -1;
    return call.function & WATCH_LARGE ? sum_of<MPI_Count>(array, ranks)
                                       : sum_of<int>(array, ranks);
}

}  // namespace

std::optional<watch::CallView> compared_call(const watch_call& call, const watch_record& record,
                                             MPI_Comm comm) {
    const watch::Places places = watch::places_of(call, record);
    int ranks = 0;
    PMPI_Comm_size(comm, &ranks);
    watch::CallView out;
    out.number = static_cast<std::uint32_t>(call.function);
    watch::read_arguments(call, record, out);
    if (places.root >= 0 && (out.root < 0 || out.root >= ranks)) return std::nullopt;
    if (places.operation >= 0) {
        const auto op = handle_of<MPI_Op>(call.words[places.operation]);
        int commutes = 0;
        if (op == MPI_OP_NULL || PMPI_Op_commutative(op, &commutes) != MPI_SUCCESS)
            return std::nullopt;
        out.commutes = commutes != 0;
    }
    if (places.type < 0) return out;
    const Type type = describe(handle_of<MPI_Datatype>(call.words[places.type]));
    const std::int64_t n = elements(call, places, out.count, ranks);
    if (n < 0 || type.handle == MPI_DATATYPE_NULL) return std::nullopt;
    out.same_bytes = type.usable && watch::same_bytes(out.number);
    out.bytes = n * type.size;
    return out;
}

}  // namespace hopbine::mpi
