/// Calls that are passed on because the MPI library has won the trials of their kind.
///
/// A call with the same arguments, but for the buffers, is of the same kind. That saves their
/// validation, which takes as long as a short call.
#pragma once
#include <array>

#include "mpi/entry/arguments.hpp"
#include "mpi/entry/refusal.hpp"

namespace hopbine::mpi {

/// Calls of one thread. They are looked up before anything else is done.
class PassedCalls {
public:
    /// Whether the MPI library serves the call, known from one before. Then the call is counted.
    [[gnu::always_inline]] bool again(const Call& c) const {
        const Kind& kind = kinds_[slot_of(c)];
        // All ranks count the same calls, and one that a rank refuses is not counted. Nor is one
        // that is passed on for device memory: other ranks may not come here.
        if (!kind.holds(c) || !kind.buffers.hold(c) || !kind.state->device.only_counts() ||
            !kind.learning->library_serves())
            return false;
        kind.state->device.count();
        return true;
    }
    /// Remembers a call that is passed on.
    void remember(const Call& c, Communicator& state, Learning* learning, const Arguments& known);

private:
    struct Kind {
        Collective collective = Collective::bcast;
        int root = 0;
        MPI_Comm comm{};
        std::int64_t send_count = 0, recv_count = 0;
        MPI_Datatype send_type{}, recv_type{};
        MPI_Op op{};
        Communicator* state = nullptr;
        Learning* learning = nullptr;  ///< null: none is remembered
        unsigned epoch = 0;
        PlainBuffers buffers;

        bool holds(const Call& c) const {
            return learning && comm == c.comm && collective == c.collective &&
                   recv_count == c.recv_count && send_count == c.send_count &&
                   recv_type == c.recv_type && send_type == c.send_type && op == c.op &&
                   root == c.root && !c.varies && !c.counts && epoch == Communicator::epoch;
        }
    };
    static std::size_t slot_of(const Call& c) {
        const auto mixed =
            static_cast<std::uint64_t>(c.recv_count + c.send_count) * 0x9E3779B97F4A7C15u +
            static_cast<std::uint64_t>(c.collective) * 0xD1B54A32D192ED03u;
        return mixed >> 60;
    }
    std::array<Kind, 16> kinds_{};
};

}  // namespace hopbine::mpi
