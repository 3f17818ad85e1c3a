#include "watch/function.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "watch/calls.h"

namespace hopbine::watch {

namespace {

/// A row of src/preload/functions.h; `base`: the name of the blocking form.
struct Function {
    std::string_view name, base;
    bool starts = false;
    int words = 0;
    unsigned counts = 0, arrays = 0;
};

const Function& at(std::uint32_t function) {
#define FORMS(name, iname, n, m, counts, arrays, ...)            \
    Function{"MPI_" #name, #name, false, n, counts, arrays},     \
        Function{"MPI_" #iname, #name, true, n, counts, arrays}, \
        Function{"MPI_" #name "_init", #name, true, n, counts, arrays},
#define ONE(name, ...) Function{"MPI_" #name, #name},
#define MAKES(name, ...) Function{"MPI_" #name, #name, std::string_view(#name) == "Comm_idup"},
    static const std::array<Function, WATCH_FUNCTIONS> table = {
        Function{},
        HOPBINE_ALL_FUNCTIONS(FORMS) Function{"MPI_Barrier", "Barrier"},
        Function{"MPI_Ibarrier", "Barrier", true},
        Function{"MPI_Barrier_init", "Barrier", true},
        HOPBINE_MAKING_FUNCTIONS(MAKES) Function{"MPI_Finalize", "Finalize"},
        Function{},
        HOPBINE_WAIT_FUNCTIONS(ONE) HOPBINE_POINT_FUNCTIONS(ONE) HOPBINE_POLL_FUNCTIONS(ONE)};
#undef FORMS
#undef ONE
#undef MAKES
    function &= WATCH_LARGE - 1;
    return table[function < table.size() ? function : 0];
}

bool has_root(const Function& f) {
    for (const std::string_view one :
         {"Bcast", "Reduce", "Gather", "Gatherv", "Scatter", "Scatterv"})
        if (f.base == one) return true;
    return false;
}

bool has_operation(const Function& f) {
    return f.base.find("educe") != f.base.npos || f.base.find("can") != f.base.npos;
}

/// Whether MPI_IN_PLACE, as the first argument, must be given on all ranks where it is on one. In
/// rooted collectives it is the root's alone; in the others some ranks may have it (MPI 4.1, Secs.
/// 6.10.2 and 6.11: reduce_scatter, scan and exscan).
bool in_place_on_all(const Function& f) {
    for (const std::string_view one : {"Allreduce", "Reduce_scatter_block", "Allgather",
                                       "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw"})
        if (f.base == one) return true;
    return false;
}

/// Which argument is the rank that a message is of; -1: none is.
int peer_at(std::uint32_t function) {
    switch (function) {
    case WATCH_Recv:
    case WATCH_Send:
    case WATCH_Ssend: return 3;
    case WATCH_Probe:
    case WATCH_Mprobe: return 0;
    default: return -1;
    }
}

/// The name of a datatype or operation; null: it has none.
const watch_name* find_name(const watch_record& record, std::int64_t word) {
    const std::uint64_t handle = static_cast<std::uint64_t>(word) & record.handle_bits;
    for (std::uint32_t i = 0; handle && i < record.names_known && i < WATCH_NAMES; ++i)
        if (record.names[i].handle == handle) return &record.names[i];
    return nullptr;
}

/// Which argument is the count of a rank's own block, of two for equal blocks.
int count_at(const Function& f, const watch_call& call, const watch_record& record) {
    const int first = std::countr_zero(f.counts);
    if (std::popcount(f.counts) < 2) return first;
    const int second = first + 3;  // buffer, count and type of the other side
    const bool scatters = f.base == "Scatter";
    const int buffer = scatters ? second - 1 : first - 1;
    const bool in_place = call.words[buffer] == record.in_place;
    return scatters != in_place ? second : first;
}

}  // namespace

std::string name_of(std::uint32_t function) { return std::string(at(function).name); }

bool only_starts(std::uint32_t function) { return at(function).starts; }

Places places_of(const watch_call& call, const watch_record& record) {
    const Function& f = at(static_cast<std::uint32_t>(call.function));
    Places out;
    if (has_root(f)) out.root = f.words - 2;
    if (has_operation(f)) out.operation = f.words - (has_root(f) ? 3 : 2);
    if (f.counts != 0 && f.arrays == 0) {
        out.count = count_at(f, call, record);
        out.type = out.count + 1;
    } else if (f.base == "Allgatherv" || f.base == "Reduce_scatter") {
        out.counts = std::countr_zero(f.arrays);
        out.type = out.counts + std::popcount(f.arrays);
    }
    return out;
}

bool same_bytes(std::uint32_t function) {
    return at(function).base.find("eighbor") == std::string_view::npos;
}

void read_arguments(const watch_call& call, const watch_record& record, CallView& out) {
    const auto number = static_cast<std::uint32_t>(call.function);
    const Places places = places_of(call, record);
    const auto word = [&](int i) { return call.words[i]; };
    if (const int peer = peer_at(number); peer >= 0)
        out.peer = static_cast<std::int32_t>(word(peer));
    if (places.root >= 0) out.root = static_cast<std::int32_t>(word(places.root));
    if (places.operation >= 0) {
        const watch_name* const known = find_name(record, word(places.operation));
        out.operation = known ? known->name : WATCH_OWN_OPERATION;
        if (known) out.commutes = known->bytes == WATCH_COMMUTES;
    }
    if (in_place_on_all(at(number))) out.in_place = word(0) == record.in_place;
    if (places.count < 0) return;
    out.count = (call.function & WATCH_LARGE) ? word(places.count)
                                              : static_cast<std::int32_t>(word(places.count));
    const watch_name* const known = find_name(record, word(places.type));
    if (!known) return;
    out.type = known->name;
    out.bytes = out.count * known->bytes;
    out.same_bytes = same_bytes(number);
}

}  // namespace hopbine::watch
