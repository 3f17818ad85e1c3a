/// The watched functions: their names, and where their arguments are.
#pragma once
#include <cstdint>
#include <string>

#include "watch/record.h"
#include "watch/view.hpp"

namespace hopbine::watch {

/// "MPI_Allreduce"; empty for WATCH_NOT.
std::string name_of(std::uint32_t function);
/// Whether its calls have an order on their communicator.
bool is_collective(std::uint32_t function);
/// Whether it only starts what is waited for elsewhere: a nonblocking or persistent form.
bool only_starts(std::uint32_t function);
/// Sets what of a call's arguments ranks can compare.
void read_arguments(const watch_call& call, const watch_record& record, CallView& out);

}  // namespace hopbine::watch
