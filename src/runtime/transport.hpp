/// What moves the messages of a plan, and how a rank's messages are addressed.
#pragma once
#include <cstdint>

#include "schedule/call_tags.hpp"

namespace hopbine::mpi {

/// Destination ranks and tags of a communicator's messages. Each rank receives with tags of its own
/// choice, which the others have received from it (tag_space.hpp).
struct Addresses {
    const int* ranks = nullptr;  ///< in the job, of the communicator's ranks
    const int* tags = nullptr;   ///< first receive tag of each rank; null: the same on all
    int first = 0;               ///< first receive tag of this rank
    int beyond = 0;              ///< from the first tags of the other ranks to those of this call
    int rank(int peer) const { return ranks[peer]; }
    /// The tag that this rank receives with on a channel, and the one that a peer does.
    int own_tag(int channel) const { return CallTags::tag(first, channel); }
    int tag_of(int peer, int channel) const {
        return CallTags::tag(tags ? tags[peer] + beyond : first, channel);
    }
};

/// Most bytes or elements of one transfer, which is an MPI call: far below the largest int.
inline constexpr std::int64_t kMostAtOnce = 1 << 30;

/// Purpose of a message that is under way.
struct MessageUse {
    std::uint32_t channel;  ///< in Steps::channels
    std::int32_t arriving;  ///< of the step's receives; -1: a send
};

/// Transfers of a message that were begun and are not complete, and the MPI error code of those
/// that could not be begun.
struct Begun {
    int transfers = 0;
    int error = 0;
};

/// What the caller of Transport::wait() needs next.
enum class Needed : std::uint8_t { a_receive, a_send, anything };

// A class is a transport, for PlanRunner, if it has
//
//     static constexpr bool kCalls = false;
//     Begun begin_send(MessageUse, const Message&, int channel, const char* from, std::int64_t n);
//     Begun begin_receive(MessageUse, const Message&, int channel, char* to, std::int64_t n);
//     void wait(Needed, done);    // waits for one transfer at least: done(its use, error) of each
//
// `channel` is the number of the message's channel, `n` counts elements. Messages of one channel
// between two ranks keep their order. Where kCalls is true, steps of one message, or of one each
// way, are single calls:
//
//     bool single(const Message&, std::int64_t n);     // whether it can be
//     int send(const Message&, int channel, const char* from, std::int64_t n);
//     int receive(const Message&, int channel, char* to, std::int64_t n);
//     int exchange(const Message& out, const char* from, std::int64_t n, const Message& in,
//                  char* to, std::int64_t m, int channel);
//     bool may_block(const Message&, std::int64_t n);  // whether send() may be called in a step
//                                                      // whose receives have been begun
//
// A transport may also have
//
//     char* buffer(const Message&, std::int64_t n);    // to pack it into on a device; null: none
//     int end_step(std::uint32_t channel);             // a step is complete, of a channel of
//                                                      // Steps::channels; an MPI error code

}  // namespace hopbine::mpi
