/// The watched functions: their names, and where their arguments are.
#pragma once
#include <cstdint>
#include <string>

#include "watch/record.h"
#include "watch/view.hpp"

namespace hopbine::watch {

/// "MPI_Allreduce"; empty for WATCH_NOT.
std::string name_of(std::uint32_t function);
/// Whether it only starts what is waited for elsewhere: a nonblocking or persistent form.
bool only_starts(std::uint32_t function);
/// Which of a call's arguments are what; -1: none is.
struct Places {
    int root = -1, operation = -1;
    /// The count that says what this rank contributes, or receives of a root, as in calls for equal
    /// blocks both counts of a rank do; or the counts that are the same on all ranks.
    int count = -1, counts = -1;
    int type = -1;  ///< of what is counted
};
Places places_of(const watch_call& call, const watch_record& record);
/// Whether all ranks must have as many bytes as places_of() tells of.
bool same_bytes(std::uint32_t function);
/// Sets what of a call's arguments ranks can compare, as far as a record tells what handles are.
void read_arguments(const watch_call& call, const watch_record& record, CallView& out);

}  // namespace hopbine::watch
