/// Runs the channels of a plan side by side, each at its own pace.
#pragma once
#include <mpi.h>

#include <vector>

#include "mpi/execute/buffers.hpp"
#include "mpi/execute/endpoint.hpp"

namespace hopbine::mpi {

/// What the channels of one call keep track of; kept between calls so that the steady state
/// allocates nothing.
struct ChannelWorkspace {
    struct Arriving {
        const Message* message;
        char* staged;   ///< null: received in place
        int transfers;  ///< still on their way
    };
    /// How far a channel has come.
    struct Pace {
        std::size_t step = 0;
        bool under_way = false;  ///< the messages of the step have been posted
        int sends = 0;           ///< of the step, still on their way
        std::size_t placed = 0;  ///< of `arriving`
        std::vector<Arriving> arriving;
        std::int64_t region = 0;  ///< where the channel's part of the staging buffer begins
        Stage stage;
    };
    /// What a request is for.
    struct Use {
        std::uint32_t channel;
        std::int32_t arriving;  ///< -1: a send
    };
    std::vector<Pace> paces;  ///< one for each channel
    std::vector<MPI_Request> requests;
    std::vector<Use> uses;  ///< one for each request
    std::vector<int> over;
    std::vector<MPI_Status> statuses;
};

/// All steps of all channels of the plan. Returns the first MPI error code: after an error the
/// schedule still runs to its end.
int run_channels(const Plan& plan, const Binding& b, const Endpoint& at, Scratch& staging,
                 ChannelWorkspace& w);

}  // namespace hopbine::mpi
