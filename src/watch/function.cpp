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
    static const std::array<Function, WATCH_FUNCTIONS> table = {
        Function{},
        HOPBINE_ALL_FUNCTIONS(FORMS) Function{"MPI_Barrier", "Barrier"},
        Function{"MPI_Ibarrier", "Barrier", true},
        Function{"MPI_Barrier_init", "Barrier", true},
        HOPBINE_MAKING_FUNCTIONS(ONE) Function{"MPI_Finalize", "Finalize"},
        Function{},
        HOPBINE_WAIT_FUNCTIONS(ONE) HOPBINE_POINT_FUNCTIONS(ONE) HOPBINE_POLL_FUNCTIONS(ONE)};
#undef FORMS
#undef ONE
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

/// The name of a predefined handle; null: it is none.
const watch_name* find_name(const watch_record& record, std::int64_t word) {
    const std::uint64_t handle = static_cast<std::uint64_t>(word) & record.handle_bits;
    for (std::uint32_t i = 0; i < record.names_known && i < WATCH_NAMES; ++i)
        if (record.names[i].handle == handle) return &record.names[i];
    return nullptr;
}

/// Which argument is the count that says what this rank contributes, or receives of a root. Its
/// datatype follows. Both counts of a call are for equal blocks.
std::size_t count_at(const Function& f, const watch_call& call, const watch_record& record) {
    const auto first = static_cast<std::size_t>(std::countr_zero(f.counts));
    if (std::popcount(f.counts) < 2) return first;
    const std::size_t second = first + 3;  // buffer, count and type of the other side
    const bool scatters = f.base == "Scatter";
    const std::size_t buffer = scatters ? second - 1 : first - 1;
    const bool in_place = call.words[buffer] == record.in_place;
    return scatters != in_place ? second : first;
}

}  // namespace

std::string name_of(std::uint32_t function) { return std::string(at(function).name); }

bool is_collective(std::uint32_t function) {
    return function != WATCH_NOT && (function & (WATCH_LARGE - 1)) < WATCH_COLLECTIVES;
}

bool only_starts(std::uint32_t function) { return at(function).starts; }

void read_arguments(const watch_call& call, const watch_record& record, CallView& out) {
    const auto number = static_cast<std::uint32_t>(call.function);
    const Function& f = at(number);
    const auto word = [&](std::size_t i) { return call.words[i]; };
    if (const int peer = peer_at(number); peer >= 0)
        out.peer = static_cast<std::int32_t>(word(static_cast<std::size_t>(peer)));
    if (has_root(f))
        out.root = static_cast<std::int32_t>(word(static_cast<std::size_t>(f.words) - 2));
    if (has_operation(f)) {
        const watch_name* const known =
            find_name(record, word(static_cast<std::size_t>(f.words) - (has_root(f) ? 3 : 2)));
        out.operation = known ? known->name : "an operation of the program";
    }
    if (f.counts == 0 || f.arrays != 0) return;
    const std::size_t count = count_at(f, call, record);
    out.count =
        (call.function & WATCH_LARGE) ? word(count) : static_cast<std::int32_t>(word(count));
    const watch_name* const known = find_name(record, word(count + 1));
    out.type = known ? known->name : "a derived datatype";
    if (known) out.bytes = out.count * known->bytes;
    out.same_bytes = known && f.base.find("eighbor") == f.base.npos;
}

}  // namespace hopbine::watch
