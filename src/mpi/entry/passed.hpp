/// Calls that are passed on because the MPI library serves all calls of their kind.
///
/// A call with the same arguments, but for the buffers, is of the same kind. That saves their
/// validation, which takes as long as a short call.
#pragma once
#include <array>

#include "mpi/entry/arguments.hpp"
#include "mpi/entry/refusal.hpp"

namespace hopbine::mpi {

/// The arguments of a call but for its buffers. Handles of derived datatypes and operations may
/// come to mean others, and arrays of counts may change: calls with these have no kind.
struct KindOfCall {
    bool known = false;
    Collective collective = Collective::bcast;
    int root = 0;
    MPI_Comm comm{};
    std::int64_t send_count = 0, recv_count = 0;
    MPI_Datatype send_type{}, recv_type{};
    MPI_Op op{};
    unsigned epoch = 0;

    KindOfCall() = default;
    KindOfCall(const Call& c, const Communicator& state, const Arguments& valid)
        : collective(c.collective),
          root(c.root),
          comm(c.comm),
          send_count(c.send_count),
          recv_count(c.recv_count),
          send_type(c.send_type),
          recv_type(c.recv_type),
          op(c.op),
          epoch(Communicator::epoch) {
        const auto lasting = [](const Type& t) { return t.handle == MPI_DATATYPE_NULL || t.named; };
        known = settings().stats.empty() && lasting(valid.send) && lasting(valid.recv) &&
                (!reduces(c.collective) || state.reduction().predefined);
    }
    bool holds(const Call& c) const {
        return known && comm == c.comm && collective == c.collective &&
               recv_count == c.recv_count && send_count == c.send_count &&
               recv_type == c.recv_type && send_type == c.send_type && op == c.op &&
               root == c.root && !c.varies && !c.counts && !c.among_neighbors &&
               epoch == Communicator::epoch;
    }
};

/// The last kinds of calls, each in the place of its hash.
template <class Kind>
class LastKinds {
public:
    const Kind& at(const Call& c) const { return kinds_[slot_of(c)]; }
    void set(const Call& c, const Kind& kind) { kinds_[slot_of(c)] = kind; }

private:
    static std::size_t slot_of(const Call& c) {
        const auto mixed =
            static_cast<std::uint64_t>(c.recv_count + c.send_count) * 0x9E3779B97F4A7C15u +
            static_cast<std::uint64_t>(c.collective) * 0xD1B54A32D192ED03u;
        return mixed >> 60;
    }
    std::array<Kind, 16> kinds_{};
};

/// Blocking calls of one thread for which the library has won the trials. They are looked up before
/// anything else is done.
class PassedCalls {
public:
    /// Whether the MPI library serves the call, known from one before. Then the call is counted.
    [[gnu::always_inline]] bool again(const Call& c) const {
        const Kind& kind = kinds_.at(c);
        // All ranks count the same calls, and one that a rank refuses is not counted. Nor is one
        // that is passed on for device memory: other ranks may not come here.
        if (!kind.holds(c) || !kind.buffers.hold(c) || !kind.state->device.only_counts() ||
            !kind.learning->library_serves())
            return false;
        kind.state->device.count();
        return true;
    }
    /// Remembers a call that is passed on.
    void remember(const Call& c, Communicator& state, Learning* learning, const Arguments& known) {
        kinds_.set(c, {{c, state, known}, &state, learning, {c, state.rank, known}});
    }

private:
    struct Kind : KindOfCall {
        Communicator* state = nullptr;
        Learning* learning = nullptr;
        PlainBuffers buffers;
    };
    LastKinds<Kind> kinds_;
};

}  // namespace hopbine::mpi
