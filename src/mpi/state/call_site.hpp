/// Where the program makes its calls, for statistics (HOPBINE_SITES).
#pragma once
#include <string>

namespace hopbine::mpi {

struct CallSite {
    std::string place;     ///< file of the program or library, and offset: "/home/x/app+0x11c2"
    std::string function;  ///< where the dynamic linker knows its name; else empty
};

/// The site of the call that this thread is in, which lives as long as the process. Null where
/// none are kept. Calls that come by the MPI library's own wrappers, as Fortran's, are where these
/// are called.
const CallSite* call_site();

}  // namespace hopbine::mpi
