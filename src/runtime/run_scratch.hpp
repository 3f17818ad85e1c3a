/// What runs of plans keep between calls.
#pragma once
#include <vector>

#include "runtime/memory.hpp"
#include "runtime/plan_memory.hpp"
#include "runtime/step_observer.hpp"
#include "runtime/transport.hpp"

namespace hopbine::mpi {

/// A part of the staging buffer, allocated piece by piece.
struct Stage {
    char* begin = nullptr;
    std::int64_t used = 0;
};

/// A posted receive of a step.
struct Arriving {
    const Message* message;
    char* staged;  ///< null: received in place
    std::int64_t elements;
    int transfers;  ///< that have not completed
};

/// A receive from a mailbox that was begun.
struct MailboxReceive {
    MessageUse use;
    int from, tag;
    char* to;
    std::int64_t elements;
};

/// Progress of a channel.
struct Pace {
    StepCursor at;
    bool under_way = false;  ///< the messages of the step have been posted
    int sends = 0;           ///< transfers of the step's sends that have not completed
    std::size_t placed = 0;  ///< so many of `arriving` are in place
    std::vector<Arriving> arriving;
    StepView now{};
    std::int64_t region = 0;  ///< offset of the channel's part of the staging buffer
    Stage stage;
};

/// What a run needs besides its buffers. Kept between calls: the steady state allocates nothing.
struct RunScratch {
    explicit RunScratch(Memory* device = nullptr) : staging(device) {}
    Scratch staging;
    StepScratch step;
    std::vector<Pace> paces;          ///< one for each channel, or more
    Extents extents;                  ///< of the last plan with several channels
    std::int64_t regions = 0;         ///< bytes of the regions of its channels
    std::vector<const char*> packed;  ///< where the sends of a step begin, on a device
    std::vector<MailboxReceive> in_mailboxes;
};

}  // namespace hopbine::mpi
