/// Macros that define entry points of a function: MPI's own signatures, in the blocking, the
/// nonblocking and the persistent form.
#pragma once
#include "mpi/entry/thread_state.hpp"

namespace hopbine::mpi {

/// Count of a call with an array of counts: 0, or -1 to refuse a call without the array.
inline std::int64_t known(const void* counts) { return counts ? 0 : -1; }

}  // namespace hopbine::mpi

#define HOPBINE_ENTRY(name) HOPBINE_EXPORT int hopbine_MPI_##name
#define LIST(...) __VA_ARGS__
/// Serves a blocking call: the members of Call.
#define HOPBINE_SERVE(...)                                                    \
    [&] {                                                                     \
        const int passes = hopbine::mpi::this_thread().passes({__VA_ARGS__}); \
        return passes ? passes : hopbine::mpi::serve({__VA_ARGS__});          \
    }()
/// Starts a nonblocking call.
#define HOPBINE_START(request, ...)                               \
    hopbine::mpi::this_thread().passes_nonblocking({__VA_ARGS__}) \
        ? hopbine::mpi::kPass                                     \
        : hopbine::mpi::start({__VA_ARGS__}, request)
/// All forms of a function: its parameters before the communicator, and the members of Call after
/// its collective.
#define HOPBINE_FORMS(name, iname, suffix, parameters, which, ...)                                 \
    HOPBINE_ENTRY(name##suffix)(LIST parameters, MPI_Comm comm) {                                  \
        return HOPBINE_SERVE(.collective = hopbine::Collective::which, __VA_ARGS__, .comm = comm); \
    }                                                                                              \
    HOPBINE_ENTRY(iname##suffix)(LIST parameters, MPI_Comm comm, MPI_Request * request) {          \
        return HOPBINE_START(request, .collective = hopbine::Collective::which, __VA_ARGS__,       \
                             .comm = comm);                                                        \
    }                                                                                              \
    HOPBINE_ENTRY(name##_init##suffix)(LIST parameters, MPI_Comm comm, MPI_Info,                   \
                                       MPI_Request * request) {                                    \
        return hopbine::mpi::make_persistent(                                                      \
            {.collective = hopbine::Collective::which, __VA_ARGS__, .comm = comm}, request);       \
    }
#define SENT(buffer, n, type) .send = buffer, .send_count = n, .send_type = type
#define RECEIVED(buffer, n, type) .recv = buffer, .recv_count = n, .recv_type = type
