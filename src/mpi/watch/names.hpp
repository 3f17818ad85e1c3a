/// Names of predefined handles, for the watcher: it sees handles as machine words.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <cstring>

#include "watch/record.h"

namespace hopbine::mpi {

/// A handle as an argument of MPI.
template <class Handle>
std::uint64_t word_of(Handle handle) {
    std::uint64_t out = 0;
    std::memcpy(&out, &handle, sizeof handle);
    return out;
}

/// The handle that an argument of MPI is.
template <class Handle>
Handle handle_of(std::int64_t word) {
    Handle out;
    std::memcpy(&out, &word, sizeof out);
    return out;
}

/// Adds all predefined datatypes and operations.
void add_names(watch_record& record);

}  // namespace hopbine::mpi
