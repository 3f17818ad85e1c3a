/// Runs the channels of a plan concurrently: each progresses independently.
#pragma once
#include <vector>

#include "mpi/execute/buffers.hpp"
#include "mpi/execute/endpoint.hpp"
#include "mpi/execute/outstanding.hpp"

namespace hopbine::mpi {

/// State of the channels of one call. Kept between calls: the steady state allocates nothing.
struct ChannelWorkspace {
    struct Arriving {
        const Message* message;
        char* staged;   ///< null: received in place
        int transfers;  ///< receives that have not completed
    };
    /// Progress of a channel.
    struct Pace {
        std::size_t step = 0;
        bool under_way = false;  ///< the messages of the step have been posted
        int sends = 0;           ///< sends of the step that have not completed
        std::size_t placed = 0;  ///< so many of `arriving` are in place
        std::vector<Arriving> arriving;
        std::int64_t region = 0;  ///< offset of the channel's part of the staging buffer
        Stage stage;
    };
    /// Purpose of a request.
    struct Use {
        std::uint32_t channel;
        std::int32_t arriving;  ///< index in Pace::arriving; -1: a send
    };
    std::vector<Pace> paces;  ///< one for each channel
    Outstanding<Use> requests;
};

/// Runs all steps of all channels. Returns the first MPI error code: after an error the schedule
/// still runs to its end.
int run_channels(const Plan& plan, const Binding& b, const Endpoint& at, Scratch& staging,
                 ChannelWorkspace& w);

}  // namespace hopbine::mpi
