/// What an entry point tells the preload library's stub, and the program of what served its call.
#pragma once
#include <climits>

namespace hopbine::mpi {

/// The stub forwards the call to the MPI library.
inline constexpr int kPass = INT_MIN;
/// The stub forwards the call, and calls hopbine_passed() when the MPI library has completed it.
inline constexpr int kPassTimed = INT_MIN + 1;

inline bool is_passed(int code) { return code == kPass || code == kPassTimed; }

/// Sets what served this thread's last call, for hopbine_last_served() (mpi/entry/serve.cpp).
void note_served(const char* by);

}  // namespace hopbine::mpi
