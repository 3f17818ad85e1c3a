/// What the MPI library does with GPU memory.
#pragma once
#include "runtime/settings.hpp"
#include "statistics/gpu_record.hpp"

namespace hopbine::mpi {

/// What `hopbine gpu probe` has recorded for this library; without a record nothing, if the library
/// says of itself that it takes none. That it says it takes some is no proof. Found once.
Takes library_takes();
/// Whether what the MPI library serves is passed on to it without copies.
inline bool passes_on_device() {
    return settings().gpu == Gpu::automatic && library_takes() == Takes::all;
}
/// Says once, on rank 0, why calls on GPU memory go through host memory, if that is the MPI
/// library's fault.
void tell_why_staged();

}  // namespace hopbine::mpi
