/// What an entry point tells the preload library's stub, and the program of what served its call.
#pragma once
#include <climits>

namespace hopbine::mpi {

/// The stub forwards the call to the MPI library.
inline constexpr int kPass = INT_MIN;
/// The stub forwards the call, and calls hopbine_passed() when the MPI library has completed it.
inline constexpr int kPassTimed = INT_MIN + 1;

/// The stub forwards the call, and calls hopbine_passed() if the MPI library refuses it.
inline constexpr int kPassCounted = INT_MIN + 2;

inline bool is_passed(int code) { return code <= kPassCounted; }
/// Whether hopbine_passed() follows a call that was passed on, with what the library returned.
inline bool is_told(int code, int error) {
    return code == kPassTimed || (code == kPassCounted && error != 0);
}

/// Sets what served this thread's last call, for hopbine_last_served() (mpi/entry/serve.cpp).
void note_served(const char* by);

}  // namespace hopbine::mpi
